package dev.postrider.channels.sandbox;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What somebody writes in a sandbox chat.
 *
 * @param id unlike any other's
 * @param sender who; in a chat of that name they are alone with us
 * @param media addresses of files, or data URIs such as {@code data:text/plain;base64,aGk=}
 */
public record SandboxMessage(
    String id,
    String chat,
    String sender,
    @Nullable String name,
    String text,
    @Nullable String threadId,
    @Nullable String replyToId,
    List<String> media,
    Instant at) {
  public SandboxMessage {
    media = List.copyOf(media);
  }

  /** Without files. */
  public SandboxMessage(
      String id,
      String chat,
      String sender,
      @Nullable String name,
      String text,
      @Nullable String threadId,
      @Nullable String replyToId,
      Instant at) {
    this(id, chat, sender, name, text, threadId, replyToId, List.of(), at);
  }
}
