/**
 * What platforms' answers mean, as far as that is the same for all: tables of error codes, and
 * answers that are not the platform's own. May touch: channels.http, core's channel seam.
 */
@NullMarked
package dev.postrider.channels.verdict;

import org.jspecify.annotations.NullMarked;
