/**
 * What to do with an outcome: a pure function from outcome and settings to a verdict. The one retry
 * owner of the house.
 */
@NullMarked
package dev.postrider.retry;

import org.jspecify.annotations.NullMarked;
