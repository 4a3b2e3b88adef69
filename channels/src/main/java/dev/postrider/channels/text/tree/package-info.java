/**
 * What a text says, apart from how anyone writes it: a small tree of blocks and inlines, read from
 * Markdown. May touch: nothing of ours.
 */
@NullMarked
package dev.postrider.channels.text.tree;

import org.jspecify.annotations.NullMarked;
