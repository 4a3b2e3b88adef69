/** Files in custody, in pieces in the database. */
@NullMarked
package dev.postrider.postgres.media;

import org.jspecify.annotations.NullMarked;
