/**
 * What to do with an outcome: a pure function from outcome and settings to a verdict. Nothing else
 * retries anything.
 */
@NullMarked
package dev.postrider.internal.retry;

import org.jspecify.annotations.NullMarked;
