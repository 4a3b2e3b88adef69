/** Files in custody, in a folder beside the database. */
@NullMarked
package dev.postrider.sqlite.media;

import org.jspecify.annotations.NullMarked;
