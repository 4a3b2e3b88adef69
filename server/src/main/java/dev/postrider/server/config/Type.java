package dev.postrider.server.config;

import dev.postrider.channels.webhook.Signatures;
import dev.postrider.config.Durations;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.config.NearestName;
import dev.postrider.config.Network;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * How a value is written, and within which bounds.
 *
 * @param list whether it is a list: {@code [a, b]} in YAML, {@code a, b} in a variable
 * @param secret whether nobody may see it
 * @param read makes the value of its texts, or throws IllegalArgumentException with half a sentence
 */
record Type<T>(boolean list, boolean secret, Function<List<String>, T> read) {

  static <T> Type<T> one(Function<String, T> read) {
    return new Type<>(false, false, texts -> read.apply(texts.getFirst()));
  }

  /** One or more. */
  private static <T> Type<List<T>> some(String what, Function<String, T> read) {
    return list(
        texts -> {
          require(!texts.isEmpty(), "needs at least one " + what);
          return texts.stream().map(read).toList();
        });
  }

  static <T> Type<T> list(Function<List<String>, T> read) {
    return new Type<>(true, false, read);
  }

  Type<T> asSecret() {
    return new Type<>(list, true, read);
  }

  static Type<String> text() {
    return one(
        text -> {
          require(!text.isBlank(), "must not be empty");
          return text;
        });
  }

  /** The keys of contents, the first of which encrypts. */
  static Type<EncryptionKeys> encryptionKeys() {
    return list(EncryptionKeys::new).asSecret();
  }

  static Type<Integer> count(int least, int most) {
    return one(text -> Math.toIntExact(between(text, least, most)));
  }

  static Type<Long> amount(long least) {
    return one(text -> between(text, least, Long.MAX_VALUE));
  }

  private static long between(String text, long least, long most) {
    try {
      long value = Long.parseLong(text.strip().replace("_", ""));
      require(value >= least, "must be at least " + least + ", not " + text);
      require(value <= most, "must be at most " + most + ", not " + text);
      return value;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a whole number, not '" + text + "'", e);
    }
  }

  static Type<List<Integer>> counts(int least, int most) {
    return some("number, such as [20, 50]", text -> Math.toIntExact(between(text, least, most)));
  }

  /** From 0 to below 1. */
  static Type<Double> fraction() {
    return one(
        text -> {
          double value = number(text);
          require(value >= 0 && value < 1, "must be a fraction from 0 to below 1, not " + text);
          return value;
        });
  }

  /** From 0 to 1. */
  static Type<Double> share() {
    return one(
        text -> {
          double value = number(text);
          require(value >= 0 && value <= 1, "must be from 0 to 1, not " + text);
          return value;
        });
  }

  /** Above 0; what is above 1 is never reached. */
  static Type<Double> ratio() {
    return one(
        text -> {
          double value = number(text);
          require(
              value > 0 && value <= 2, "must be above 0, such as 0.5; 2 for never, not " + text);
          return value;
        });
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a number, not '" + text + "'", e);
    }
  }

  static Type<ZoneId> zone() {
    return time(text -> ZoneId.of(text).normalized(), "a time zone such as Asia/Kuala_Lumpur");
  }

  static Type<LocalDate> date() {
    return time(LocalDate::parse, "a day such as 2026-11-01");
  }

  private static <T> Type<T> time(Function<String, T> parse, String wanted) {
    return one(
        text -> {
          try {
            return parse.apply(text.strip());
          } catch (DateTimeException e) {
            throw new IllegalArgumentException("must be " + wanted + ", not '" + text + "'", e);
          }
        });
  }

  static Type<Boolean> flag() {
    return one(
        text ->
            switch (text.strip().toLowerCase(Locale.ROOT)) {
              case "true", "yes", "on" -> true;
              case "false", "no", "off" -> false;
              default ->
                  throw new IllegalArgumentException("must be true or false, not '" + text + "'");
            });
  }

  static Type<Duration> duration(Duration least) {
    return one(text -> atLeast(least, text));
  }

  /** A duration, or {@code off}. */
  static Type<Optional<Duration>> durationOrOff(Duration least) {
    return one(
        text ->
            text.strip().equalsIgnoreCase("off") || text.strip().equalsIgnoreCase("false")
                ? Optional.empty()
                : Optional.of(atLeast(least, text)));
  }

  static Type<List<Duration>> durations(Duration least) {
    return some("delay, such as [5s, 25s]", text -> atLeast(least, text));
  }

  private static Duration atLeast(Duration least, String text) {
    Duration value = Durations.parse(text);
    require(
        value.compareTo(least) >= 0,
        "must be at least " + Durations.format(least) + ", not " + text);
    return value;
  }

  static Type<Long> size(long least) {
    return one(
        text -> {
          long value = Sizes.parse(text);
          require(value >= least, "must be at least " + Sizes.format(least) + ", not " + text);
          return value;
        });
  }

  static Type<URI> address() {
    return one(
        text -> {
          URI uri = URI.create(text.strip());
          require(
              uri.getHost() != null
                  && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())),
              "must be an http:// or https:// address");
          return uri;
        });
  }

  /** Headers of requests, which may hold secrets, written as {@code name=value}. */
  static Type<Map<String, String>> headers() {
    return list(texts -> {
          Map<String, String> headers = new LinkedHashMap<>();
          for (String text : texts) {
            int equals = text.indexOf('=');
            require(equals > 0, "must be a list of headers such as api-key=SECRET");
            String name = text.substring(0, equals).strip();
            String value = text.substring(equals + 1).strip();
            require(isHeader(name, value), "cannot have a header '" + name + "' of this value");
            headers.put(name, value);
          }
          return headers;
        })
        .asSecret();
  }

  /** Whether the HTTP client takes it: it sets some headers itself. */
  private static boolean isHeader(String name, String value) {
    try {
      HttpRequest.newBuilder().header(name, value);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Where something signed is sent; who sends it is told by the signature. */
  static Type<URI> receiver() {
    return one(
        text -> {
          URI uri = address().read().apply(List.of(text));
          require(
              uri.getRawUserInfo() == null,
              "must not hold a name or password; its receiver knows us by the secret that signs"
                  + " it");
          return uri;
        });
  }

  /** A secret of Standard Webhooks. */
  static Type<String> signingSecret() {
    return one((String text) -> {
          Signatures.of(List.of(text));
          return text;
        })
        .asSecret();
  }

  static Type<Path> file() {
    return one(text -> Path.of(text().read().apply(List.of(text))));
  }

  static Type<List<Network>> networks() {
    return list(texts -> texts.stream().map(Network::parse).toList());
  }

  /** One of an enum's constants, in lower case. */
  static <E extends Enum<E>> Type<E> choice(Class<E> type) {
    List<String> names =
        Arrays.stream(type.getEnumConstants()).map(e -> camelCase(e.name())).toList();
    List<String> plain = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    return one(
        text -> {
          int at = plain.indexOf(text.strip().toLowerCase(Locale.ROOT));
          String near =
              NearestName.to(text, names).map(n -> "; did you mean " + n + "?").orElse("");
          require(
              at >= 0,
              "must be one of %s, not '%s'%s".formatted(String.join(", ", names), text, near));
          return type.getEnumConstants()[at];
        });
  }

  /** {@code DEAD_LETTER} is written {@code deadLetter}. */
  private static String camelCase(String constant) {
    String[] words = constant.toLowerCase(Locale.ROOT).split("_", -1);
    StringBuilder name = new StringBuilder(words[0]);
    for (int i = 1; i < words.length; i++) {
      name.append(Character.toUpperCase(words[i].charAt(0))).append(words[i], 1, words[i].length());
    }
    return name.toString();
  }

  private static void require(boolean fine, String otherwise) {
    if (!fine) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
