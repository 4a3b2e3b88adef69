/**
 * Signed webhooks after the Standard Webhooks specification, out and in. {@link
 * dev.postrider.channels.webhook.WebhookLink} posts, {@link
 * dev.postrider.channels.webhook.WebhookHook} receives, {@link
 * dev.postrider.channels.webhook.Signatures} vouches for both. Receivers drop a repeated {@code
 * webhook-id} by contract, so after an unknown outcome a message is simply posted again.
 */
@NullMarked
package dev.postrider.channels.webhook;

import org.jspecify.annotations.NullMarked;
