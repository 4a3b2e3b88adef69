/** A copy of the store in one file, made while a server works on it, and brought back. */
@NullMarked
package dev.postrider.sqlite.backup;

import org.jspecify.annotations.NullMarked;
