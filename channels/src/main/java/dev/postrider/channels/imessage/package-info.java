/**
 * iMessage on the Mac that Postrider runs on, through the program {@code imsg}, which {@link
 * dev.postrider.channels.imessage.IMessageLink} runs as long as the account is listened to and asks
 * by JSON-RPC. {@link dev.postrider.channels.imessage.IMessageVerdict} reads its refusals, {@link
 * dev.postrider.channels.imessage.IMessageSearch} looks for what got no answer. {@link
 * dev.postrider.channels.imessage.ChatGuid} is how Messages calls its chats.
 */
@NullMarked
package dev.postrider.channels.imessage;

import org.jspecify.annotations.NullMarked;
