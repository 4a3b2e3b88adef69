package dev.postrider.server.config;

/** A secret that lets its bearer in. */
public record Token(String name, String secret, Role role) {
  @Override
  public String toString() {
    return "token " + name + " (" + role + ")";
  }
}
