/**
 * The HTTP API. One table of routes; a gate before it, problems (RFC 9457) instead of exceptions
 * behind it, and one class per kind of thing that is served.
 */
@NullMarked
package dev.postrider.server.http;

import org.jspecify.annotations.NullMarked;
