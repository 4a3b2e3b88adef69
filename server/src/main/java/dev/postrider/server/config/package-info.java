/**
 * From {@code postrider.yaml}, the environment and the command line to typed settings. One schema
 * says which keys there are; reading, checking, overriding and showing all follow it.
 */
@NullMarked
package dev.postrider.server.config;

import org.jspecify.annotations.NullMarked;
