/** How values are written for people: durations, sizes, and the name they probably meant. */
@NullMarked
package dev.postrider.server.text;

import org.jspecify.annotations.NullMarked;
