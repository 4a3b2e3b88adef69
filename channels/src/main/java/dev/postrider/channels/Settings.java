package dev.postrider.channels;

import dev.postrider.config.AccountConfig;
import dev.postrider.config.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An account's own settings as typed values. Every complaint names the account and the key, and
 * none repeats a value: it might be a secret.
 */
public final class Settings {
  private final String owner;
  private final Map<String, ?> values;

  private Settings(String owner, Map<String, ?> values) {
    this.owner = owner;
    this.values = values;
  }

  public static Settings of(AccountConfig account) {
    return new Settings("account " + account.id() + ": ", account.settings());
  }

  public String required(String key) {
    Object value = values.get(key);
    if (value == null || value.toString().isBlank()) {
      throw wrong(key, "is missing");
    }
    return value.toString();
  }

  public String text(String key, String otherwise) {
    Object value = values.get(key);
    return value == null ? otherwise : value.toString();
  }

  /** An address on the web, without a slash at its end; the usual one if it is not set. */
  public String web(String key, String usual) {
    return web(key, text(key, usual), usual);
  }

  /** An address on the web, which must be set. */
  public String requiredWeb(String key, String example) {
    return web(key, required(key), example);
  }

  private String web(String key, String value, String example) {
    String address = value.replaceAll("/+$", "");
    if (WebAddress.of(address) == null) {
      throw wrong(key, "is not an address such as " + example);
    }
    return address;
  }

  public Duration duration(String key, Duration otherwise) {
    Object value = values.get(key);
    if (value == null) {
      return otherwise;
    }
    try {
      Duration duration = Durations.parse(value.toString());
      if (!duration.isNegative()) {
        return duration;
      }
    } catch (IllegalArgumentException e) {
      // Said below, without the value.
    }
    throw wrong(key, "is not a duration such as 500ms, 10s, 2m, 48h or 30d");
  }

  public boolean flag(String key, boolean otherwise) {
    return switch (text(key, Boolean.toString(otherwise))) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong(key, "is neither true nor false");
    };
  }

  /** A number, or null if it is not set. */
  public @Nullable Double number(String key) {
    Object value = values.get(key);
    if (value == null) {
      return null;
    }
    try {
      return Double.valueOf(value.toString());
    } catch (NumberFormatException e) {
      throw wrong(key, "is not a number");
    }
  }

  /** A whole number above zero, or null if it is not set. */
  public @Nullable Integer count(String key) {
    Double number = number(key);
    if (number == null) {
      return null;
    }
    if (number < 1 || number > Integer.MAX_VALUE || number != Math.rint(number)) {
      throw wrong(key, "is not a whole number above zero");
    }
    return number.intValue();
  }

  /** One text or several; empty if the key is not set. */
  public List<String> texts(String key) {
    return switch (values.get(key)) {
      case null -> List.of();
      case List<?> many -> many.stream().map(String::valueOf).toList();
      case Object one -> List.of(one.toString());
    };
  }

  /** Regular expressions, matched anywhere and without regard to case. */
  public List<Pattern> patterns(String key) {
    return switch (values.get(key)) {
      case null -> List.of();
      case List<?> many -> many.stream().map(one -> pattern(key, one)).toList();
      case Object one -> List.of(pattern(key, one));
    };
  }

  private Pattern pattern(String key, @Nullable Object value) {
    try {
      return Pattern.compile(String.valueOf(value), Pattern.CASE_INSENSITIVE);
    } catch (IllegalArgumentException e) {
      throw wrong(key, "holds something that is not a regular expression");
    }
  }

  /** The settings below a key, of which only the known ones may be there. */
  public Settings group(String key, List<String> known) {
    Object value = values.get(key);
    if (value == null) {
      return new Settings(owner + key + ".", Map.of());
    }
    if (!(value instanceof Map<?, ?> map)) {
      throw wrong(key, "is not a group of settings");
    }
    Map<String, Object> inner = new LinkedHashMap<>();
    map.forEach(
        (name, one) -> {
          if (!known.contains(String.valueOf(name))) {
            throw wrong(key + "." + name, "is not known; known are " + String.join(", ", known));
          }
          if (one != null) {
            inner.put(String.valueOf(name), one);
          }
        });
    return new Settings(owner + key + ".", inner);
  }

  public IllegalArgumentException wrong(String key, String problem) {
    return new IllegalArgumentException(owner + key + " " + problem);
  }
}
