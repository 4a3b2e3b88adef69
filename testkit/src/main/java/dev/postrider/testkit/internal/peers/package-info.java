/**
 * Servers that somebody else wrote, for tests of several modules: fetched on first use, started on
 * the loopback address, and ended with the test.
 */
@NullMarked
package dev.postrider.testkit.internal.peers;

import org.jspecify.annotations.NullMarked;
