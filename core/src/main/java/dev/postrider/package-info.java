/** The library's front door: {@link dev.postrider.Postrider} and what it hands out. */
@NullMarked
package dev.postrider;

import org.jspecify.annotations.NullMarked;
