/**
 * A text as a line of pieces, and the one way in which all dialects are written and cut: the
 * composer lays the tree out, the pen writes, the cutter decides where a part ends. May touch: the
 * tree, core's dialect seam.
 */
@NullMarked
package dev.postrider.channels.text.flow;

import org.jspecify.annotations.NullMarked;
