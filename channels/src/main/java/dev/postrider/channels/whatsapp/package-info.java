/**
 * The WhatsApp Cloud API. {@link dev.postrider.channels.whatsapp.WhatsAppLink} sends, {@link
 * dev.postrider.channels.whatsapp.WhatsAppRequest} says what, {@link
 * dev.postrider.channels.whatsapp.WhatsAppVerdict} reads the answer, {@link
 * dev.postrider.channels.whatsapp.WhatsAppHook} what Meta tells by itself: messages, and the fate
 * of ours. A part is only ever accepted at first, and there is no idempotency key.
 */
@NullMarked
package dev.postrider.channels.whatsapp;

import org.jspecify.annotations.NullMarked;
