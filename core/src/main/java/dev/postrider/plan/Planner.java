package dev.postrider.plan;

import dev.postrider.channel.Capabilities;
import dev.postrider.message.Format;
import dev.postrider.message.InvalidMessage;
import dev.postrider.message.Media;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Turns a message into the parts its channel can take. */
public final class Planner {
  private Planner() {}

  /**
   * Plans a message.
   *
   * @throws InvalidMessage if the channel cannot carry it in any form
   */
  public static Plan plan(MessageId id, Message message, Capabilities channel) {
    requireAddresses(message.media());
    List<Part> parts = new ArrayList<>();
    String text = message.text() == null ? "" : message.text();
    if (!channel.media() && !message.media().isEmpty()) {
      text = withLinks(text, message.media());
    }
    if (!text.isEmpty()) {
      parts.addAll(textParts(text, message.format(), channel));
    }
    if (channel.media()) {
      message.media().forEach(item -> parts.add(new Part(null, null, item)));
    }
    if (parts.isEmpty()) {
      parts.add(new Part(null, null, null)); // channel data alone
    }
    return new Plan(id, parts);
  }

  private static List<Part> textParts(String text, Format format, Capabilities channel) {
    List<String> chunks = Chunker.chunk(text, channel.textLimit(), channel.textUnit());
    if (format != Format.NATIVE || !channel.markup()) {
      return chunks.stream().map(Part::plain).toList();
    }
    if (chunks.size() > 1) {
      throw new InvalidMessage(
          "text",
          "native markup cannot be cut, and this is longer than the channel's "
              + channel.textLimit()
              + "; send it as several messages");
    }
    return List.of(new Part(text, text, null));
  }

  /**
   * A {@code file:} address would name a file of ours to whoever may send: only the web is open to
   * everybody.
   */
  private static void requireAddresses(List<Media> media) {
    for (int i = 0; i < media.size(); i++) {
      String url = media.get(i).url();
      if (!url.startsWith("https://") && !url.startsWith("http://")) {
        throw new InvalidMessage(
            "media[" + i + "].url", "must be an address that begins with https:// or http://");
      }
    }
  }

  private static String withLinks(String text, List<Media> media) {
    return Stream.concat(Stream.of(text), media.stream().map(Planner::link))
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  private static String link(Media media) {
    return media.filename() == null ? media.url() : media.filename() + ": " + media.url();
  }
}
