/**
 * Microsoft Teams: a bot by the Bot Connector, or a Workflows webhook. {@link
 * dev.postrider.channels.msteams.TeamsLink} sends as the bot and {@link
 * dev.postrider.channels.msteams.WorkflowLink} to the webhook, {@link
 * dev.postrider.channels.msteams.TeamsRequest} says what, {@link
 * dev.postrider.channels.msteams.TeamsVerdict} reads the answer, {@link
 * dev.postrider.channels.msteams.TeamsHook} what Microsoft delivers. Where a conversation is served
 * is known from its {@link dev.postrider.channels.msteams.ConversationReference}. There is neither
 * an idempotency key nor a way to look.
 */
@NullMarked
package dev.postrider.channels.msteams;

import org.jspecify.annotations.NullMarked;
