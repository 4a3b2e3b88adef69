package dev.postrider.server.http;

/** One field that is wrong, and what to do about it. */
record FieldError(String field, String message) {}
