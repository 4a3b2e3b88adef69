/**
 * Google Chat. {@link dev.postrider.channels.googlechat.GoogleChatLink} sends as an app, {@link
 * dev.postrider.channels.googlechat.GoogleChatWebhookLink} through a space's webhook; {@link
 * dev.postrider.channels.googlechat.GoogleChatRequest} says what, {@link
 * dev.postrider.channels.googlechat.GoogleChatVerdict} reads the answer, {@link
 * dev.postrider.channels.googlechat.GoogleChatHook} what Google tells by itself. An app's messages
 * carry names of ours, so a repeat is recognised.
 */
@NullMarked
package dev.postrider.channels.googlechat;

import org.jspecify.annotations.NullMarked;
