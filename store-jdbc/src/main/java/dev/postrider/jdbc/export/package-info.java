/** Everything a store holds as lines of JSON, and back: the fields of each kind, and its SQL. */
@NullMarked
package dev.postrider.jdbc.export;

import org.jspecify.annotations.NullMarked;
