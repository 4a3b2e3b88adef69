/**
 * Slack, as a bot and through incoming webhooks. {@link dev.postrider.channels.slack.SlackLink}
 * sends and looks after what got lost, {@link dev.postrider.channels.slack.SlackVerdict} reads the
 * answers, {@link dev.postrider.channels.slack.SlackEvents} says what events mean, whether they
 * come to {@link dev.postrider.channels.slack.SlackHook} or over {@link
 * dev.postrider.channels.slack.SlackSocket}.
 */
@NullMarked
package dev.postrider.channels.slack;

import org.jspecify.annotations.NullMarked;
