/** Connections with their statements, group commit, and how values are stored. */
@NullMarked
package dev.postrider.jdbc.session;

import org.jspecify.annotations.NullMarked;
