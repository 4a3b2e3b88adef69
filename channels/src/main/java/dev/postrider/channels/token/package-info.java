/**
 * Tokens: those that an account gets for itself and renews before they expire, and those with which
 * a platform signs what it sends us; and a login that does not tell the password (SCRAM). May
 * touch: channels.http, core's channel seam.
 */
@NullMarked
package dev.postrider.channels.token;

import org.jspecify.annotations.NullMarked;
