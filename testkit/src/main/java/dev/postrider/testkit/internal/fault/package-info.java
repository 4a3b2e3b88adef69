/**
 * Faults of the surroundings, one class each: what is done to a real server under load, what must
 * hold all the same, and what an operator sees of it. What is true is what the platform saw.
 */
@NullMarked
package dev.postrider.testkit.internal.fault;

import org.jspecify.annotations.NullMarked;
