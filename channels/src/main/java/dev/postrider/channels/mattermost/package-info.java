/**
 * Mattermost, as a bot (or a person) with a token, and through incoming webhooks. {@link
 * dev.postrider.channels.mattermost.MattermostLink} sends and looks after what got lost, {@link
 * dev.postrider.channels.mattermost.MattermostVerdict} reads the answers.
 */
@NullMarked
package dev.postrider.channels.mattermost;

import org.jspecify.annotations.NullMarked;
