/**
 * Text as each platform wants it written: Markdown or plain text in, parts within the platform's
 * limit out. The tree says what a text says, the flow lays it out and cuts it, the notations know
 * each platform's marks. May touch: core's dialect seam.
 */
@NullMarked
package dev.postrider.channels.text;

import org.jspecify.annotations.NullMarked;
