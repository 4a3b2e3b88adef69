/**
 * Certificates and keys in their files: what the server shows of itself, and whom our own clients
 * trust. Depends on nothing else in here.
 */
@NullMarked
package dev.postrider.server.tls;

import org.jspecify.annotations.NullMarked;
