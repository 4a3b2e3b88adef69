/**
 * Zalo: bots of the Bot platform, and Official Accounts; the account's settings decide. {@link
 * dev.postrider.channels.zalo.BotLink} and {@link dev.postrider.channels.zalo.OaLink} send, their
 * requests say what, their verdicts read the answers, whose errors come with status 200, and their
 * hooks what Zalo tells by itself. {@link dev.postrider.channels.zalo.OaLogin} keeps the refresh
 * token that is good once. There is no idempotency key.
 */
@NullMarked
package dev.postrider.channels.zalo;

import org.jspecify.annotations.NullMarked;
