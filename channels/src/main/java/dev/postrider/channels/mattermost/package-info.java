/**
 * Mattermost, as a bot (or a person) with a token, and through incoming webhooks. {@link
 * dev.postrider.channels.mattermost.MattermostLink} sends and looks after what got lost, {@link
 * dev.postrider.channels.mattermost.MattermostVerdict} reads the answers, {@link
 * dev.postrider.channels.mattermost.MattermostEvents} says what posts mean, whether they come over
 * {@link dev.postrider.channels.mattermost.MattermostSocket} or are read afterwards by {@link
 * dev.postrider.channels.mattermost.MattermostCatchUp}.
 */
@NullMarked
package dev.postrider.channels.mattermost;

import org.jspecify.annotations.NullMarked;
