/**
 * The engine under test: a scriptable channel, a world in virtual time around it, and the suites
 * any store must pass.
 */
@NullMarked
package dev.postrider.testkit.engine;

import org.jspecify.annotations.NullMarked;
