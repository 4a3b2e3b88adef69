package dev.postrider.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One platform request of a plan.
 *
 * @param text what is sent, already rendered; with media, their caption. Null for a part that is
 *     media or channel data only
 * @param plain the plain source of {@code text} when that is markup, for the parse-error fallback
 * @param styles ranges of {@code text}, where the platform wants markup beside the text
 * @param media what is attached, in order; several go out as one album
 * @param pieces of a bundle: what goes out in this one request, each as if it were a part. The
 *     bundle has no text of its own, and the media of all of them
 */
public record Part(
    @Nullable String text,
    @Nullable String plain,
    List<String> styles,
    List<Attachment> media,
    List<Part> pieces) {

  public Part {
    styles = List.copyOf(styles);
    media = List.copyOf(media);
    pieces = List.copyOf(pieces);
  }

  /** No bundle. */
  public Part(
      @Nullable String text, @Nullable String plain, List<String> styles, List<Attachment> media) {
    this(text, plain, styles, media, List.of());
  }

  /** Several in one request. */
  public static Part bundle(List<Part> pieces) {
    List<Attachment> media = pieces.stream().flatMap(piece -> piece.media.stream()).toList();
    return new Part(null, null, List.of(), media, pieces);
  }

  public static Part plain(String text) {
    return new Part(text, null, List.of(), List.of());
  }

  public static Part markup(String text, String plain) {
    return new Part(text, plain, List.of(), List.of());
  }

  public static Part carrying(List<Attachment> media) {
    return new Part(null, null, List.of(), media);
  }

  /** Neither text nor media: channel data alone. */
  public static Part bare() {
    return new Part(null, null, List.of(), List.of());
  }

  /** The same text, riding on media. */
  public Part with(List<Attachment> attached) {
    return new Part(text, plain, styles, attached);
  }

  /** Whether the text is in the platform's markup and has a plain form to fall back on. */
  public boolean isMarkup() {
    return plain != null;
  }
}
