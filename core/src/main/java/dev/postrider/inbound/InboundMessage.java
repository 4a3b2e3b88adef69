package dev.postrider.inbound;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One inbound message from a platform, in words that all channels share. {@code raw} keeps what the
 * platform really said.
 *
 * @param platformId what tells it from every other inbound message of its account; the same inbound
 *     message told twice has the same
 * @param kind what happened
 * @param chat where; what a reply would be sent {@code to}
 * @param messageId what the platform calls the message that it is; of an edit, a reaction or an
 *     action the one that it is about
 * @param replyToId the message that it answers
 * @param sentAt when, by the platform's clock, if it says so
 * @param raw the platform's own words: strings, numbers, booleans, null, lists and maps
 */
public record InboundMessage(
    String platformId,
    Kind kind,
    String chat,
    ChatKind chatKind,
    Sender sender,
    @Nullable String text,
    List<File> media,
    @Nullable String messageId,
    @Nullable String replyToId,
    @Nullable String threadId,
    @Nullable Instant sentAt,
    Map<String, ?> raw) {

  public InboundMessage {
    media = List.copyOf(media);
  }

  /** The same, in a chat that is called like this. */
  public InboundMessage withChat(String name) {
    return name.equals(chat)
        ? this
        : new InboundMessage(
            platformId,
            kind,
            name,
            chatKind,
            sender,
            text,
            media,
            messageId,
            replyToId,
            threadId,
            sentAt,
            raw);
  }

  /** What happened. */
  public enum Kind {
    MESSAGE,
    /** A message was changed. */
    EDIT,
    /** A button, a menu entry or a slash command. */
    ACTION,
    REACTION,
    /** Anything else a platform tells: somebody joined, a chat was renamed. */
    OTHER;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What kind of chat it is. */
  public enum ChatKind {
    /** Between one person and the bot. */
    DM,
    GROUP,
    /** Few write, many read. */
    CHANNEL;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Who. */
  public record Sender(String id, @Nullable String name) {}

  /**
   * A file that came along.
   *
   * @param kind {@code image}, {@code video}, {@code audio}, {@code voice} or {@code document}
   * @param id what the platform calls it
   * @param url where it can be fetched, if the platform says so
   */
  public record File(
      String kind,
      @Nullable String id,
      @Nullable String url,
      @Nullable String filename,
      @Nullable String type,
      @Nullable Long size) {}
}
