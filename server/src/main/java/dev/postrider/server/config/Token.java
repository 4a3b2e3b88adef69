package dev.postrider.server.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Lets its bearer in.
 *
 * @param secret what the bearer sends, or {@code sha256:} and its hash, so that whoever reads the
 *     configuration cannot use it
 */
public record Token(String name, String secret, Set<Role> roles) {
  /** Fewer characters could be found by trying. */
  private static final int SHORTEST = 16;

  private static final String HASHED = "sha256:";
  private static final Pattern HASH = Pattern.compile(HASHED + "[0-9a-fA-F]{64}");

  public Token {
    roles = Set.copyOf(roles);
  }

  /** Reads a secret as it stands in the configuration. */
  static Type<String> secretType() {
    return Type.one(
            (String text) -> {
              if (text.startsWith(HASHED) && !HASH.matcher(text).matches()) {
                throw new IllegalArgumentException(
                    "must be sha256: and 64 hexadecimal digits; 'postrider token' makes a token and"
                        + " its hash");
              }
              if (text.length() < SHORTEST) {
                throw new IllegalArgumentException(
                    "must have at least "
                        + SHORTEST
                        + " characters, so that nobody finds it by trying; 'postrider token' makes"
                        + " one");
              }
              return text;
            })
        .asSecret();
  }

  /** Reads one role or several. */
  static Type<Set<Role>> rolesType() {
    Type<Role> one = Type.choice(Role.class);
    return Type.list(
        texts -> {
          if (texts.isEmpty()) {
            throw new IllegalArgumentException(
                "must be send, read or admin, or several: [send, read]");
          }
          return texts.stream()
              .map(text -> one.read().apply(List.of(text)))
              .collect(Collectors.toCollection(() -> EnumSet.noneOf(Role.class)));
        });
  }

  /** How a secret is written in the configuration without giving it away. */
  public static String hashed(String secret) {
    return HASHED + HexFormat.of().formatHex(sha256(secret));
  }

  /** What the hash of the bearer's secret must be. */
  public byte[] digest() {
    return secret.startsWith(HASHED)
        ? HexFormat.of().parseHex(secret.substring(HASHED.length()))
        : sha256(secret);
  }

  public static byte[] sha256(String secret) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Whether its bearer may do what a role is needed for. */
  public boolean covers(Role needed) {
    return roles.stream().anyMatch(role -> role.covers(needed));
  }

  @Override
  public String toString() {
    return "token " + name + " " + roles;
  }
}
