/** Benchmarks, micro and end to end. Never shipped. */
@NullMarked
package dev.postrider.bench;

import org.jspecify.annotations.NullMarked;
