/**
 * HTTP as a sender of messages needs it: one request, never repeated by itself, and a truthful word
 * on whether it can have been processed. Nothing that leaves this package holds a secret. May
 * touch: core's channel seam, and what it says of files.
 */
@NullMarked
package dev.postrider.channels.http;

import org.jspecify.annotations.NullMarked;
