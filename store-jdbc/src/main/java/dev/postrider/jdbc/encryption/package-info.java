/** Contents are encrypted before they are stored. */
@NullMarked
package dev.postrider.jdbc.encryption;

import org.jspecify.annotations.NullMarked;
