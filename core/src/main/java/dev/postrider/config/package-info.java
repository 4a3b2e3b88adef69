/**
 * Settings as typed values with their defaults. Reading them from a file is the server's business.
 */
@NullMarked
package dev.postrider.config;

import org.jspecify.annotations.NullMarked;
