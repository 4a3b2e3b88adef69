/** The stored form of targets. */
@NullMarked
package dev.postrider.jdbc.reminder;

import org.jspecify.annotations.NullMarked;
