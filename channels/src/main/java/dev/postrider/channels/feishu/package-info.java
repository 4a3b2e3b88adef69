/**
 * Feishu, and Lark outside of China: apps with a bot, and the custom bots of a group. {@link
 * dev.postrider.channels.feishu.FeishuLink} and {@link
 * dev.postrider.channels.feishu.FeishuWebhookLink} send, {@link
 * dev.postrider.channels.feishu.FeishuContent} says what, {@link
 * dev.postrider.channels.feishu.FeishuVerdict} reads the answer, {@link
 * dev.postrider.channels.feishu.FeishuHook} what Feishu tells by itself. A part of an app's is
 * recognised by its key for an hour.
 */
@NullMarked
package dev.postrider.channels.feishu;

import org.jspecify.annotations.NullMarked;
