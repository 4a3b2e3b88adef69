package dev.postrider.internal.plan;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Dialect.Written;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.TextLimit;
import dev.postrider.message.Attachment;
import dev.postrider.message.Format;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import dev.postrider.store.media.Blob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Turns a message into the parts its channel can take. The files come first, in albums where the
 * platform has them; the text rides on the first of them if it fits there, and else follows them.
 */
public final class Planner {
  private final Message message;
  private final Capabilities channel;
  private final MediaRules rules;

  private Planner(Message message, Capabilities channel) {
    this.message = message;
    this.channel = channel;
    this.rules = channel.media();
  }

  /**
   * Plans a message.
   *
   * @param custody finds bytes by their hash
   * @throws InvalidInput if the channel cannot carry it in any form
   */
  public static Plan plan(
      MessageId id,
      Message message,
      Capabilities channel,
      Function<String, Optional<Blob>> custody) {
    return new Plan(id, new Planner(message, channel).parts(custody));
  }

  private List<Part> parts(Function<String, Optional<Blob>> custody) {
    FilePlan files = FilePlan.sort(message.media(), rules, custody);
    List<Part> parts = new ArrayList<>();
    albums(files.carried()).forEach(album -> parts.add(Part.carrying(album)));
    FileLinks.Text text = FileLinks.append(message.text(), message.format(), files.linked());
    Part caption = parts.isEmpty() ? null : caption(text, parts);
    if (caption != null) {
      parts.set(0, caption.with(parts.getFirst().media()));
    } else {
      text.blocks().forEach(block -> parts.addAll(written(block.text(), block.format())));
    }
    if (parts.isEmpty()) {
      requireSomething();
      parts.add(Part.bare());
    }
    requireRoomForExtras(parts.getLast());
    return channel.bundle() > 1 ? bundled(parts) : parts;
  }

  /** As many in one request as the platform takes, and as their files have room. */
  private List<Part> bundled(List<Part> parts) {
    List<Part> requests = new ArrayList<>();
    List<Part> pieces = new ArrayList<>();
    for (Part part : parts) {
      List<Attachment> files =
          Stream.concat(pieces.stream(), Stream.of(part))
              .flatMap(it -> it.media().stream())
              .toList();
      if (pieces.size() == channel.bundle() || !(pieces.isEmpty() || rules.roomFor(files))) {
        requests.add(request(pieces));
        pieces = new ArrayList<>();
      }
      pieces.add(part);
    }
    requests.add(request(pieces));
    return requests;
  }

  private static Part request(List<Part> pieces) {
    return pieces.size() == 1 ? pieces.getFirst() : Part.bundle(pieces);
  }

  /** The text as it rides on the first file; null if it cannot. */
  private @Nullable Part caption(FileLinks.Text text, List<Part> albums) {
    TextLimit limit = rules.caption(albums.getFirst().media().getFirst().kind());
    boolean wantedLast = !extrasFit(albums.getLast()); // as the part that channel data rides on
    if (limit == null || wantedLast || text.blocks().size() != 1) {
      return null;
    }
    FileLinks.Block only = text.blocks().getFirst();
    List<Written> written = channel.dialect().write(only.text(), only.format(), limit);
    return written.size() == 1 && fits(written.getFirst(), only.format(), limit)
        ? part(written.getFirst())
        : null;
  }

  private List<Part> written(String text, Format format) {
    List<Written> written = channel.dialect().write(text, format, channel.text());
    for (Written one : written) {
      if (!fits(one, format, channel.text())) {
        throw new InvalidInput(
            "text",
            "native markup cannot be cut, and this is longer than the channel's "
                + channel.text().size()
                + "; send it as several messages");
      }
    }
    return written.stream().map(Planner::part).toList();
  }

  /** A dialect cuts whatever it writes itself; what it passes through may be too long. */
  private static boolean fits(Written written, Format format, TextLimit limit) {
    return format != Format.NATIVE
        || limit.visible()
        || limit.unit().size(written.text()) <= limit.size();
  }

  private static Part part(Written written) {
    return new Part(written.text(), written.plain(), written.styles(), List.of());
  }

  /** Files in a row that the platform shows together. */
  private List<List<Attachment>> albums(List<Attachment> files) {
    List<List<Attachment>> albums = new ArrayList<>();
    for (Attachment file : files) {
      List<Attachment> last = albums.isEmpty() ? List.of() : albums.getLast();
      boolean joins =
          !last.isEmpty()
              && last.size() < rules.album()
              && last.stream().allMatch(other -> joins(other, file))
              && rules.roomFor(Stream.concat(last.stream(), Stream.of(file)).toList());
      if (!joins) {
        albums.add(new ArrayList<>());
      }
      albums.getLast().add(file);
    }
    return albums;
  }

  private boolean joins(Attachment one, Attachment other) {
    return !one.loop() && !other.loop() && rules.together(one.kind(), other.kind());
  }

  private boolean extrasFit(Part last) {
    return !hasExtras() || rules.extras() || last.media().size() <= 1;
  }

  /** Whether channel data has content, which goes with the last part; options go with any. */
  private boolean hasExtras() {
    return !channel.options().containsAll(message.channelData().keySet());
  }

  private void requireRoomForExtras(Part last) {
    if (!extrasFit(last)) {
      throw new InvalidInput(
          "channelData", "cannot ride on an album on this channel; add a text to carry it");
    }
  }

  private void requireSomething() {
    if (hasExtras()) {
      return;
    }
    if (message.channelData().isEmpty() || message.text() != null) {
      throw new InvalidInput("text", "says nothing once it is rendered; write some words");
    }
    throw new InvalidInput(
        "channelData." + message.channelData().keySet().iterator().next(),
        "says how to send, and there is nothing to send; add a text or a file");
  }
}
