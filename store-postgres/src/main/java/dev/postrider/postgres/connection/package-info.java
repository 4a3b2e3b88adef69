/** Connections to the database, its schema, and what its errors mean. */
@NullMarked
package dev.postrider.postgres.connection;

import org.jspecify.annotations.NullMarked;
