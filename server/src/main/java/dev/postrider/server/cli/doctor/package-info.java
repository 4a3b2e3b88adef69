/** Looks for what is wrong with a configuration, its store, its accounts and its server. */
@NullMarked
package dev.postrider.server.cli.doctor;

import org.jspecify.annotations.NullMarked;
