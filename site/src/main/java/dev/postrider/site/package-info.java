/**
 * Makes a web site of the Markdown pages, which needs no server and nothing from outside.
 *
 * <p>Depends on nothing else of ours.
 */
@NullMarked
package dev.postrider.site;

import org.jspecify.annotations.NullMarked;
