package dev.postrider.server.config;

/** How and from which weight on things are logged. */
public record LogSettings(LogFormat format, LogLevel level) {}
