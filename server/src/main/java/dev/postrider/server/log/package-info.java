/** How log lines look: one line each, for people or for machines. */
@NullMarked
package dev.postrider.server.log;

import org.jspecify.annotations.NullMarked;
