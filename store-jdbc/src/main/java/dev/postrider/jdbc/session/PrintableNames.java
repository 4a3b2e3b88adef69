package dev.postrider.jdbc.session;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names of accounts, chats and sessions in cursors: letters, digits, '-', '_' and '.' alone. */
public final class PrintableNames {
  private PrintableNames() {}

  public static String encode(String... names) {
    return Stream.of(names)
        .map(
            name ->
                Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(name.getBytes(StandardCharsets.UTF_8)))
        .collect(Collectors.joining("."));
  }

  /**
   * As many names as were encoded.
   *
   * @throws IllegalArgumentException if the text does not hold so many names
   */
  public static List<String> decode(String text, int count) {
    String[] encoded = text.split("\\.", -1);
    if (encoded.length != count) {
      throw notOne(text);
    }
    return Stream.of(encoded).map(name -> decoded(name, text)).toList();
  }

  private static String decoded(String encoded, String text) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(Base64.getUrlDecoder().decode(encoded)))
          .toString();
    } catch (CharacterCodingException | IllegalArgumentException e) {
      throw notOne(text);
    }
  }

  private static IllegalArgumentException notOne(String text) {
    return new IllegalArgumentException("'" + text + "' is not a cursor of this list");
  }
}
