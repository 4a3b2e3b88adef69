/** Accepting messages, and what people can do to single messages afterwards. */
@NullMarked
package dev.postrider.internal.message;

import org.jspecify.annotations.NullMarked;
