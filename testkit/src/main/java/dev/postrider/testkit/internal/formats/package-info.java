/** Stores as earlier versions left them, and whether this one understands them. */
@NullMarked
package dev.postrider.testkit.internal.formats;

import org.jspecify.annotations.NullMarked;
