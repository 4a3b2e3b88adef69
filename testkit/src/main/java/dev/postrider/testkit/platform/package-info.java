/**
 * A platform to test against: an HTTP server on the loopback address that answers, stalls, lies and
 * hangs up as it is told, and remembers every request it has read. Runs on raw sockets, because no
 * well-behaved server can be made to behave this badly.
 */
@NullMarked
package dev.postrider.testkit.platform;

import org.jspecify.annotations.NullMarked;
