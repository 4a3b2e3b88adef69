package dev.postrider.server.config;

/** From which weight on things are logged. */
public enum LogLevel {
  ERROR,
  WARN,
  INFO,
  DEBUG
}
