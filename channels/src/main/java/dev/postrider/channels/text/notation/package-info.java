/**
 * How each platform writes the marks of a text and keeps text from being taken for marks. May
 * touch: the flow.
 */
@NullMarked
package dev.postrider.channels.text.notation;

import org.jspecify.annotations.NullMarked;
