/**
 * Nextcloud Talk, as a bot. {@link dev.postrider.channels.nextcloud.NextcloudLink} sends, {@link
 * dev.postrider.channels.nextcloud.NextcloudApi} signs, {@link
 * dev.postrider.channels.nextcloud.NextcloudVerdict} reads the answers, {@link
 * dev.postrider.channels.nextcloud.BotAccess} finds out whose fault a refused signature is. With a
 * user's app password {@link dev.postrider.channels.nextcloud.NextcloudSearch} looks for what got
 * lost and {@link dev.postrider.channels.nextcloud.NextcloudInboundFiles} fetches files.
 */
@NullMarked
package dev.postrider.channels.nextcloud;

import org.jspecify.annotations.NullMarked;
