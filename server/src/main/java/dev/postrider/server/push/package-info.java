/**
 * Handing out what came in to a web server: every message is posted to it, signed, and its answer
 * tells the result. May touch: core, channels' HTTP and signatures, the API's JSON, config.
 */
@NullMarked
package dev.postrider.server.push;

import org.jspecify.annotations.NullMarked;
