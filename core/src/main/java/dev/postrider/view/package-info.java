/**
 * A running engine for people to look at: accounts and their health, figures, and what everything
 * waits for.
 */
@NullMarked
package dev.postrider.view;

import org.jspecify.annotations.NullMarked;
