/**
 * Twitch chat, by Helix and EventSub. {@link dev.postrider.channels.twitch.TwitchLink} sends,
 * {@link dev.postrider.channels.twitch.TwitchVerdict} reads the answers, of which many say 200 and
 * mean no, {@link dev.postrider.channels.twitch.TwitchLogin} keeps the token and knows whose it is,
 * {@link dev.postrider.channels.twitch.TwitchSocket} listens. May touch: the shared parts of
 * channels, core's channel seam.
 */
@NullMarked
package dev.postrider.channels.twitch;

import org.jspecify.annotations.NullMarked;
