/**
 * What a message is: its content, its options, the plan it becomes, and how far it has got. Values
 * only; this package knows nothing of stores, channels or time.
 */
@NullMarked
package dev.postrider.message;

import org.jspecify.annotations.NullMarked;
