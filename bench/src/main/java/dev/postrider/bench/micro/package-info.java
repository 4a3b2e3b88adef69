/**
 * What single steps of a message's way cost, measured by JMH: planning, rendering, the buckets of a
 * pace, the lanes of an account.
 */
@NullMarked
package dev.postrider.bench.micro;

import org.jspecify.annotations.NullMarked;
