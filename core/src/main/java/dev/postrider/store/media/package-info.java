/** Files in custody, and what platforms call those they have. */
@NullMarked
package dev.postrider.store.media;

import org.jspecify.annotations.NullMarked;
