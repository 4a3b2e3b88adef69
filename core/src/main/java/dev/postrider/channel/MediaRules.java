package dev.postrider.channel;

import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a channel's parts may carry besides text.
 *
 * @param kinds the kinds of file the platform shows; what is missing goes out as a document, or as
 *     a link
 * @param caption how long the text on a file may be; null if it takes none
 * @param album how many files one part may carry; 1 if each goes alone
 * @param together kinds that may share an album; a kind in none of the sets goes alone
 * @param loops whether a video can be played as a GIF
 * @param extras whether channel data may ride on an album
 * @param reuse what becomes of uploaded bytes
 * @param total most bytes the files of one part may have together
 */
public record MediaRules(
    Map<MediaKind, Rule> kinds,
    @Nullable TextLimit caption,
    int album,
    List<Set<MediaKind>> together,
    boolean loops,
    boolean extras,
    Reuse reuse,
    long total) {

  /** A channel without media: files go out as links in the text. */
  public static final MediaRules NONE =
      new MediaRules(Map.of(), null, 1, List.of(), false, true, Reuse.NONE);

  public MediaRules {
    kinds = Map.copyOf(kinds);
    together = List.copyOf(together);
  }

  /** Of a platform that limits each file, and not all of a part together. */
  public MediaRules(
      Map<MediaKind, Rule> kinds,
      @Nullable TextLimit caption,
      int album,
      List<Set<MediaKind>> together,
      boolean loops,
      boolean extras,
      Reuse reuse) {
    this(kinds, caption, album, together, loops, extras, reuse, Long.MAX_VALUE);
  }

  /**
   * What the platform takes of one kind.
   *
   * @param types media types it shows; empty for any
   * @param largest most bytes
   * @param byUrl whether it fetches an address itself
   * @param captioned whether a text can ride on it
   * @param inline whether bytes go with the part even though the platform else takes addresses only
   */
  public record Rule(
      Set<String> types, long largest, boolean byUrl, boolean captioned, boolean inline) {
    public Rule {
      types = Set.copyOf(types);
    }

    public Rule(Set<String> types, long largest, boolean byUrl) {
      this(types, largest, byUrl, true, false);
    }

    /** The same of a kind that takes no text, though others do. */
    public Rule uncaptioned() {
      return new Rule(types, largest, byUrl, false, inline);
    }

    /** The same of a kind whose bytes can be in the request, though others need an address. */
    public Rule inlined() {
      return new Rule(types, largest, byUrl, captioned, true);
    }

    boolean takes(@Nullable String type, long size) {
      return size <= largest && (types.isEmpty() || type == null || types.contains(type));
    }
  }

  /** What becomes of uploaded bytes. */
  public enum Reuse {
    /** They go out with every part anew. */
    NONE,
    /** The part that brings them gives a handle back, good for parts of the same kind. */
    BY_SENDING,
    /** They are uploaded on their own ({@link Link#upload}), and parts name the handle. */
    BY_UPLOAD,
    /**
     * They are not uploaded at all: the platform takes addresses only, and gets one of ours that is
     * good for a while. Needs {@code http.publicUrl}. Kinds that are {@link Rule#inlined} are
     * excepted.
     */
    BY_ADDRESS,
    /** The same of a platform that fetches over TLS only: {@code http.publicUrl} must be https. */
    BY_SECURE_ADDRESS
  }

  /**
   * What a file is sent as: its own kind, else a document; null if the platform can take it as
   * neither.
   */
  public @Nullable MediaKind sendable(MediaKind kind, @Nullable String type, long size) {
    if (takes(kind, type, size)) {
      return kind;
    }
    return takes(MediaKind.DOCUMENT, type, size) ? MediaKind.DOCUMENT : null;
  }

  public boolean takes(MediaKind kind, @Nullable String type, long size) {
    Rule rule = kinds.get(kind);
    return rule != null && rule.takes(type, size);
  }

  /** Most bytes the platform takes of anything. */
  public long largest() {
    return kinds.values().stream().mapToLong(Rule::largest).max().orElse(0);
  }

  public boolean fetches(MediaKind kind) {
    Rule rule = kinds.get(kind);
    return rule != null && rule.byUrl;
  }

  /**
   * Whether our own bytes of this kind go out as an address, which takes {@code http.publicUrl}.
   */
  public boolean needsAddress(MediaKind kind) {
    Rule rule = kinds.get(kind);
    boolean addresses = reuse == Reuse.BY_ADDRESS || reuse == Reuse.BY_SECURE_ADDRESS;
    return addresses && (rule == null || !rule.inline);
  }

  /** How long the text on a file of this kind may be; null if it takes none. */
  public @Nullable TextLimit caption(MediaKind kind) {
    Rule rule = kinds.get(kind);
    return rule != null && rule.captioned ? caption : null;
  }

  /** Whether one part has room for all of these; what is not here yet may be as large as any. */
  public boolean roomFor(List<Attachment> files) {
    return total == Long.MAX_VALUE
        || files.stream().mapToLong(file -> file.size() < 0 ? largest() : file.size()).sum()
            <= total;
  }

  /** Whether two kinds may share an album. */
  public boolean together(MediaKind one, MediaKind other) {
    return together.stream().anyMatch(set -> set.contains(one) && set.contains(other));
  }

  /**
   * The same rules for an account whose platform takes files up to this size; kinds with a tighter
   * limit of their own keep it.
   */
  public MediaRules upTo(long bytes) {
    long most = largest();
    Map<MediaKind, Rule> changed = new EnumMap<>(MediaKind.class);
    kinds.forEach(
        (kind, rule) ->
            changed.put(
                kind,
                rule.largest == most || rule.largest > bytes
                    ? new Rule(rule.types, bytes, rule.byUrl, rule.captioned, rule.inline)
                    : rule));
    return new MediaRules(changed, caption, album, together, loops, extras, reuse, total);
  }
}
