/** The API of inbound messages: webhooks, leases, sessions, turns. */
@NullMarked
package dev.postrider.server.api.inbound;

import org.jspecify.annotations.NullMarked;
