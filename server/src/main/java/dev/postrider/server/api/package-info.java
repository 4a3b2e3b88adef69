/**
 * The HTTP API apart from the wire: requests, routes and who may use them, problems (RFC 9457)
 * instead of exceptions, and what the server tells of itself.
 */
@NullMarked
package dev.postrider.server.api;

import org.jspecify.annotations.NullMarked;
