package dev.postrider.channels.nostr;

import dev.postrider.channel.Dispatch;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** From a part to what an event says. */
final class NostrRequest {
  /** A title that goes with every part (NIP-14, NIP-17). */
  static final String SUBJECT = "subject";

  private NostrRequest() {}

  /** Refuses what no event could say. */
  static void check(Message message) {
    for (String field : message.channelData().keySet()) {
      if (!field.equals(SUBJECT)) {
        throw new InvalidInput(
            "channelData." + field, "is not known on Nostr; known is " + SUBJECT);
      }
    }
    if (message.channelData().containsKey(SUBJECT)
        && !(message.channelData().get(SUBJECT) instanceof String)) {
      throw new InvalidInput("channelData." + SUBJECT, "must be a text");
    }
    if ((message.text() == null || message.text().isBlank()) && message.media().isEmpty()) {
      throw new InvalidInput("text", "is missing; an event on Nostr needs a text");
    }
    requireEvent("replyToId", message.replyToId());
    requireEvent("threadId", message.threadId());
    if (message.threadId() != null && !message.to().equals(NostrChannel.NOTES)) {
      throw new InvalidInput(
          "threadId", "has no meaning in private messages on Nostr; use replyToId");
    }
  }

  private static void requireEvent(String field, @Nullable String id) {
    if (id != null && NostrNames.event(id) == null) {
      throw new InvalidInput(
          field, "is not the id of an event: 64 hexadecimal digits, note1… or nevent1…");
    }
  }

  /** Line breaks and tabs are all that a text needs of these; relays hash others differently. */
  static String content(Dispatch part) {
    String text = String.valueOf(part.text());
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .filter(c -> c >= ' ' || c == '\n' || c == '\t')
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  /** The tags of a private message, by which everybody's program knows whose chat it is. */
  static List<List<String>> chatTags(Dispatch part, List<String> receivers) {
    List<List<String>> tags = new ArrayList<>();
    receivers.forEach(receiver -> tags.add(List.of("p", receiver)));
    String answered = part.replyToId() == null ? null : NostrNames.event(part.replyToId());
    if (answered != null) {
      tags.add(List.of("e", answered));
    }
    subject(part, tags);
    return tags;
  }

  /** The note that is answered, or the first of a thread that is to go on; null if neither. */
  static @Nullable String answered(Dispatch part) {
    String reply = part.replyToId() == null ? part.threadId() : part.replyToId();
    return reply == null ? null : NostrNames.event(reply);
  }

  /**
   * The tags of a public note (NIP-10).
   *
   * @param parent the note that it answers; null if it answers none
   */
  static List<List<String>> noteTags(Dispatch part, @Nullable NostrEvent parent, String me) {
    List<List<String>> tags = new ArrayList<>();
    if (parent != null) {
      List<String> root = root(parent);
      if (root == null) {
        tags.add(List.of("e", parent.id(), "", "root", parent.publicKey()));
      } else {
        tags.add(
            root.size() > 4 && !root.get(4).isEmpty()
                ? List.of("e", root.get(1), "", "root", root.get(4))
                : List.of("e", root.get(1), "", "root"));
        tags.add(List.of("e", parent.id(), "", "reply", parent.publicKey()));
      }
      Set<String> people = new LinkedHashSet<>(List.of(parent.publicKey()));
      people.addAll(parent.all("p"));
      people.remove(me);
      people.forEach(person -> tags.add(List.of("p", person)));
    }
    subject(part, tags);
    return tags;
  }

  /** The tag that names the first note of the thread; null if the note itself is the first. */
  static @Nullable List<String> root(NostrEvent note) {
    List<List<String>> named =
        note.tags().stream().filter(tag -> tag.size() > 1 && tag.getFirst().equals("e")).toList();
    return named.stream()
        .filter(tag -> tag.size() > 3 && tag.get(3).equals("root"))
        .findFirst()
        .orElseGet(
            () ->
                // The old way: no words, and the first one is the root.
                named.stream()
                    .filter(tag -> tag.size() < 4 || tag.get(3).isEmpty())
                    .findFirst()
                    .orElse(null));
  }

  private static void subject(Dispatch part, List<List<String>> tags) {
    if (part.channelData().get(SUBJECT) instanceof String subject && !subject.isBlank()) {
      tags.add(List.of("subject", subject));
    }
  }
}
