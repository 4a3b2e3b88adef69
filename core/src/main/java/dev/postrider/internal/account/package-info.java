/**
 * One account at work: its link to the platform, its lanes, its health, and which process works it.
 * Also what is done for every account in turn: expiry, retention, and saying what waits for what.
 */
@NullMarked
package dev.postrider.internal.account;

import org.jspecify.annotations.NullMarked;
