/** The API of outbound messages, their lanes and their files. */
@NullMarked
package dev.postrider.server.api.message;

import org.jspecify.annotations.NullMarked;
