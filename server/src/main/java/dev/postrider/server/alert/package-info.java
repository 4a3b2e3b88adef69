/**
 * Telling operators about trouble: what is worth telling ({@code Alerts}), several in one message
 * ({@code Digest}), and how it reaches them ({@code AlertSender}). May touch: core, channels' HTTP
 * and signatures, config, log.
 */
@NullMarked
package dev.postrider.server.alert;

import org.jspecify.annotations.NullMarked;
