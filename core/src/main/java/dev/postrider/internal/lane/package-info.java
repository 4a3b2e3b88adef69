/** Which lane may send next, and the walk of one message through its attempt. */
@NullMarked
package dev.postrider.internal.lane;

import org.jspecify.annotations.NullMarked;
