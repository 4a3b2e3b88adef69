/**
 * The LINE Messaging API. {@link dev.postrider.channels.line.LineLink} sends, {@link
 * dev.postrider.channels.line.LineRequest} says what, {@link
 * dev.postrider.channels.line.LineVerdict} reads the answer, {@link
 * dev.postrider.channels.line.LineHook} what LINE tells by itself. A push has a key by which LINE
 * knows a repeat; a reply costs nothing and has none ({@link
 * dev.postrider.channels.line.ReplyTokens}). What runs say to many users goes out in one request
 * ({@link dev.postrider.channels.line.LineMulticast}).
 */
@NullMarked
package dev.postrider.channels.line;

import org.jspecify.annotations.NullMarked;
