/**
 * WhatsApp as a paired phone has it, through a bridge that somebody runs: WAHA ({@link
 * dev.postrider.channels.whatsappweb.WahaBridge}) or GOWA ({@link
 * dev.postrider.channels.whatsappweb.GowaBridge}). {@link
 * dev.postrider.channels.whatsappweb.WhatsAppWebLink} sends and watches, {@link
 * dev.postrider.channels.whatsappweb.Strangers} keeps the account from being banned. May touch:
 * channels' shared parts, core's channel seam.
 */
@NullMarked
package dev.postrider.channels.whatsappweb;

import org.jspecify.annotations.NullMarked;
