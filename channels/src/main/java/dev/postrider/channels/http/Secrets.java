package dev.postrider.channels.http;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What must never be shown: error texts, proxies' error pages and exceptions like to quote it. */
public final class Secrets {
  /** Shorter ones cannot be told from ordinary words, and would take those away. */
  private static final int SHORTEST = 6;

  private final List<String> hidden;

  private Secrets(List<String> hidden) {
    this.hidden = hidden;
  }

  public static Secrets of(String... secrets) {
    return longestFirst(
        Stream.of(secrets)
            .filter(secret -> secret.length() >= SHORTEST)
            .flatMap(
                secret -> Stream.of(secret, URLEncoder.encode(secret, StandardCharsets.UTF_8))));
  }

  /** A secret that contains another one goes first, or its rest would stay. */
  private static Secrets longestFirst(Stream<String> secrets) {
    return new Secrets(
        secrets.distinct().sorted(Comparator.comparingInt(String::length).reversed()).toList());
  }

  Secrets and(Secrets more) {
    return longestFirst(Stream.concat(hidden.stream(), more.hidden.stream()));
  }

  /** An address's query, and each value in it: that is where addresses carry keys. */
  public static Secrets ofAddress(String address, String... others) {
    int question = address.indexOf('?');
    if (question < 0) {
      return of(others);
    }
    String query = address.substring(question + 1).replaceFirst("#.*", "");
    Stream<String> values =
        Stream.of(query.split("&"))
            .map(pair -> pair.substring(pair.indexOf('=') + 1))
            .flatMap(value -> Stream.of(value, decoded(value)));
    return of(
        Stream.of(Stream.of(query), values, Stream.of(others))
            .flatMap(each -> each)
            .toArray(String[]::new));
  }

  private static String decoded(String value) {
    try {
      return URLDecoder.decode(value, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return value;
    }
  }

  public String scrub(String text) {
    String clean = text;
    for (String secret : hidden) {
      clean = clean.replace(secret, "***");
    }
    return clean;
  }

  @Override
  public String toString() {
    return hidden.size() + " secrets";
  }
}
