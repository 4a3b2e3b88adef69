/**
 * The Telegram Bot API. {@link dev.postrider.channels.telegram.TelegramLink} sends, {@link
 * dev.postrider.channels.telegram.TelegramRequest} says what, {@link
 * dev.postrider.channels.telegram.TelegramVerdict} reads the answer. Telegram has no idempotency
 * key, and a bot cannot read what it wrote: after an unknown outcome nothing can be looked up.
 */
@NullMarked
package dev.postrider.channels.telegram;

import org.jspecify.annotations.NullMarked;
