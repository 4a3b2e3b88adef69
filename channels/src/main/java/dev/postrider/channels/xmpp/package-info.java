/**
 * XMPP: an account on a server of one's choice, with people and rooms on any server.
 *
 * <p>A small client of its own (ADR 47): {@code XmlStream} and {@code XmppLogin} make a connection,
 * {@code XmppSession} is one that stands, {@code StreamAcks} knows what the server has, and the
 * link turns that into outcomes.
 */
@NullMarked
package dev.postrider.channels.xmpp;

import org.jspecify.annotations.NullMarked;
