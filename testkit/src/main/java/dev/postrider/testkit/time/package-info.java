/** Time that passes only when a test says so. */
@NullMarked
package dev.postrider.testkit.time;

import org.jspecify.annotations.NullMarked;
