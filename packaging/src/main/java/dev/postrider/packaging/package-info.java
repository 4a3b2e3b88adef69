/**
 * Puts the server and all it needs into one runnable jar.
 *
 * <p>Depends on nothing else of ours.
 */
@NullMarked
package dev.postrider.packaging;

import org.jspecify.annotations.NullMarked;
