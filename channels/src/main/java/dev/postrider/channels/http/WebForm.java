package dev.postrider.channels.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.Map;

/** A form as it stands in a request ({@code application/x-www-form-urlencoded}), or a query. */
public final class WebForm {
  private WebForm() {}

  /** Its fields; of those that are there twice, the last. What is no field is left out. */
  public static Map<String, String> read(String text) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String field : text.split("&")) {
      int equals = field.indexOf('=');
      if (equals > 0) {
        fields.put(decoded(field.substring(0, equals)), decoded(field.substring(equals + 1)));
      }
    }
    return fields;
  }

  /** What stands behind percent signs; the text as it is if that is nothing. */
  public static String decoded(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }
}
