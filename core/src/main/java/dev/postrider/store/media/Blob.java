package dev.postrider.store.media;

/**
 * Bytes in custody.
 *
 * @param hash their SHA-256 in lower-case hexadecimal: their name
 * @param type their media type, read from the bytes
 */
public record Blob(String hash, long size, String type) {}
