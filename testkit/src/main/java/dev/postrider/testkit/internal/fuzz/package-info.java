/**
 * Random input for whatever reads what others wrote: the same from the same seed. Depends on
 * nothing of the engine.
 */
@NullMarked
package dev.postrider.testkit.internal.fuzz;

import org.jspecify.annotations.NullMarked;
