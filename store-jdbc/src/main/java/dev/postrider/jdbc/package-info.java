/**
 * What the stores on a database share: group commit, the stored form of messages, and lists. Holds
 * no SQL. May touch: core's {@code store} and {@code message} packages.
 */
@NullMarked
package dev.postrider.jdbc;

import org.jspecify.annotations.NullMarked;
