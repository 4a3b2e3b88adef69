package dev.postrider.channels.msteams;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The entities of a message. Teams shows a mention where the entity's own text, such as {@code
 * <at>Ann</at>}, stands in the message's; as Markdown that was made harmless on its way.
 */
record Mentions(List<?> entities) {
  private static final Pattern WRITTEN = Pattern.compile("\\\\?<at(?: [^<>]*)?>.*?\\\\?</at\\\\?>");
  private static final Pattern ESCAPED = Pattern.compile("\\\\([!-/:-@\\[-`{-~])");

  static Mentions in(@Nullable Object entities) {
    return new Mentions(TeamsRequest.list(entities));
  }

  /** The text with its mentions as they were meant. */
  String written(String text) {
    return WRITTEN
        .matcher(text)
        .replaceAll(
            found -> {
              String meant = ESCAPED.matcher(found.group()).replaceAll("$1");
              boolean known = entities.stream().anyMatch(one -> meant.equals(words(one)));
              return Matcher.quoteReplacement(known ? meant : found.group());
            });
  }

  /** Those that are in a part's text; with the last part also those that are no mentions. */
  List<?> of(@Nullable String text, boolean last) {
    String all = text == null ? "" : written(text);
    return entities.stream()
        .filter(one -> words(one) == null ? last : all.contains(Objects.requireNonNull(words(one))))
        .toList();
  }

  /** The first mention whose text does not occur in any of these; null if all do. */
  @Nullable String missing(List<String> texts) {
    return entities.stream()
        .map(Mentions::words)
        .filter(Objects::nonNull)
        .filter(words -> texts.stream().noneMatch(text -> written(text).contains(words)))
        .findFirst()
        .orElse(null);
  }

  /** What a mention says in the text; null if it is none. */
  private static @Nullable String words(@Nullable Object entity) {
    return entity instanceof Map<?, ?> fields
            && "mention".equals(fields.get("type"))
            && fields.get("text") instanceof String text
        ? text
        : null;
  }
}
