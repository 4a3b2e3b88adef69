/**
 * iMessage through a BlueBubbles server on a Mac. {@link
 * dev.postrider.channels.bluebubbles.BlueBubblesLink} sends, {@link
 * dev.postrider.channels.bluebubbles.BlueBubblesVerdict} reads the answers, {@link
 * dev.postrider.channels.bluebubbles.BlueBubblesSearch} looks for what got no answer. What comes in
 * is told by {@link dev.postrider.channels.bluebubbles.BlueBubblesEvents}, whether it came to the
 * hook or is read afterwards by {@link dev.postrider.channels.bluebubbles.BlueBubblesCatchUp}.
 */
@NullMarked
package dev.postrider.channels.bluebubbles;

import org.jspecify.annotations.NullMarked;
