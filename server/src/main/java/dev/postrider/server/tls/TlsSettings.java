package dev.postrider.server.tls;

import java.nio.file.Path;

/**
 * Where the server finds what it shows of itself.
 *
 * @param certificate a PEM file: the server's certificate, then those that lead to its authority
 * @param key a PEM file with the private key of the first certificate
 */
public record TlsSettings(Path certificate, Path key) {}
