/**
 * Discord: bots over REST, and webhooks of one chat. A link sends, {@link
 * dev.postrider.channels.discord.DiscordRequest} says what, {@link
 * dev.postrider.channels.discord.DiscordVerdict} reads the answer; what people write comes over the
 * gateway's socket, commands and buttons also as webhooks. May touch: http, text, core's channel
 * seam.
 */
@NullMarked
package dev.postrider.channels.discord;

import org.jspecify.annotations.NullMarked;
