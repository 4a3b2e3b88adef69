/**
 * The engine as a whole: it starts and stops the accounts, and holds the safety net under
 * everything that waits.
 */
@NullMarked
package dev.postrider.internal.engine;

import org.jspecify.annotations.NullMarked;
