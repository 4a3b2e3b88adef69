package dev.postrider.channel;

import org.jspecify.annotations.Nullable;

/**
 * What a person wants who logs an account in.
 *
 * @param phone digits of the phone that a code is to be typed on, with the country's; null to scan
 *     a QR code instead
 */
public record LoginRequest(@Nullable String phone) {}
