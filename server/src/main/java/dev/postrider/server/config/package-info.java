/**
 * From {@code postrider.yaml}, the environment and the command line to typed settings. A key is
 * asked for where settings are made of it; finding, checking, overriding and showing it follow from
 * that.
 */
@NullMarked
package dev.postrider.server.config;

import org.jspecify.annotations.NullMarked;
