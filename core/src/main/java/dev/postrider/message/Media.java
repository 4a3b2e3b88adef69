package dev.postrider.message;

import org.jspecify.annotations.Nullable;

/** One attachment, by address. */
public record Media(String url, @Nullable String kind, @Nullable String filename) {}
