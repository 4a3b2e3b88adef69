package dev.postrider.store.media;

import java.time.Instant;

/**
 * What an account's platform calls bytes that were brought to it.
 *
 * @param variant what the handle is good for, where a platform's handles are not good for
 *     everything; else empty
 * @param expiresAt when the platform, or we, let go of it
 */
public record Upload(
    String account, String hash, String variant, String handle, Instant expiresAt) {}
