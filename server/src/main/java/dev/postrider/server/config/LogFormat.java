package dev.postrider.server.config;

/** How log lines look. */
public enum LogFormat {
  TEXT,
  JSON
}
