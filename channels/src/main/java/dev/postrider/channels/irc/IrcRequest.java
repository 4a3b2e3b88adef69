package dev.postrider.channels.irc;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channels.irc.IrcConnection.Command;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is said to the server. Immutable. */
final class IrcRequest {
  /** Bytes of a part that fit whatever we are called, in channels with names of usual length. */
  static final int TEXT = 350;

  static final Set<String> OPTIONS = Set.of("action");

  private static final int LEAST_ROOM = 16;
  private static final int LONGEST_ID = 500;
  private static final int LONGEST_LIST = 400;
  private static final String REPLY = "+draft/reply";

  private final IrcSettings settings;

  IrcRequest(IrcSettings settings) {
    this.settings = settings;
  }

  /** Refuses what could not be said. */
  static void check(Message message, Plan plan) {
    for (Map.Entry<String, @Nullable Object> field : message.channelData().entrySet()) {
      if (!OPTIONS.contains(field.getKey())) {
        throw new InvalidInput(
            "channelData." + field.getKey(), "is not known; known are " + OPTIONS);
      }
      if (field.getValue() != null && !(field.getValue() instanceof Boolean)) {
        throw new InvalidInput("channelData." + field.getKey(), "must be true or false");
      }
    }
    String reply = message.replyToId();
    if (reply != null && (reply.length() > LONGEST_ID || !IrcMessage.isLine(reply))) {
      throw new InvalidInput("replyToId", "must be the msgid of a message");
    }
    if (message.threadId() != null) {
      throw new InvalidInput("threadId", "is not known to IRC, which has no threads; leave it out");
    }
    for (Part part : plan.parts()) {
      Stream<Part> pieces = part.pieces().isEmpty() ? Stream.of(part) : part.pieces().stream();
      if (!pieces.map(Part::text).allMatch(text -> text == null || IrcMessage.isLine(text))) {
        throw new InvalidInput(
            "text", "in IRC's own notation must be one line; send a message for each");
      }
    }
  }

  /**
   * The commands that say a part: one, if its text fits into a line or the server takes several
   * lines as one message; else one for each line. None if there is nothing to say.
   */
  List<Command> commands(Dispatch part, IrcAddress to, IrcSession session) {
    String verb = part.silent() ? "NOTICE" : "PRIVMSG";
    boolean action = Boolean.TRUE.equals(part.channelData().get("action"));
    int around = action ? action("").length() : 0;
    int room = session.room(verb, to.toString()) - around;
    if (room < LEAST_ROOM) {
      return List.of();
    }
    List<List<String>> lines =
        part.pieces().stream()
            .map(Dispatch.Piece::text)
            .filter(text -> text != null && !text.isBlank() && IrcMessage.isLine(text))
            .map(text -> IrcLines.cut(text, room))
            .toList();
    long count = lines.stream().mapToLong(List::size).sum();
    if (count > 1 && session.has(IrcBatches.MULTILINE) && !action) {
      return List.of(batch(verb, part, to, lines));
    }
    List<Command> commands = new ArrayList<>();
    for (String line : lines.stream().flatMap(List::stream).toList()) {
      String text = action ? action(line) : line;
      commands.add(
          new Command(
              commands.isEmpty() ? reply(part) : Map.of(),
              List.of(IrcMessage.saying(verb, to.toString(), text))));
    }
    return commands;
  }

  private static String action(String text) {
    return "\u0001ACTION " + text + "\u0001";
  }

  private static Map<String, String> reply(Dispatch part) {
    String reply = part.replyToId();
    return reply == null ? Map.of() : Map.of(REPLY, reply);
  }

  private static Command batch(
      String verb, Dispatch part, IrcAddress to, List<List<String>> lines) {
    String id = part.key().substring(0, Math.min(8, part.key().length()));
    List<String> all = new ArrayList<>();
    all.add(IrcMessage.line("BATCH", "+" + id, IrcBatches.MULTILINE, to.toString()));
    for (List<String> line : lines) {
      for (int i = 0; i < line.size(); i++) {
        Map<String, String> tags = new LinkedHashMap<>(Map.of("batch", id));
        if (i > 0) {
          tags.put(IrcBatches.CONCAT, "");
        }
        all.add(IrcMessage.tagged(tags, IrcMessage.saying(verb, to.toString(), line.get(i))));
      }
    }
    all.add(IrcMessage.line("BATCH", "-" + id));
    return new Command(reply(part), all);
  }

  String join(String channel, String key) {
    return key.isEmpty() ? IrcMessage.line("JOIN", channel) : IrcMessage.line("JOIN", channel, key);
  }

  /** The lines that enter many channels; those with keys first, as the protocol has it. */
  List<String> joins(Map<String, String> channels) {
    List<String> lines = new ArrayList<>();
    List<String> open = new ArrayList<>();
    for (Map.Entry<String, String> channel : channels.entrySet()) {
      if (!channel.getValue().isEmpty()) {
        lines.add(join(channel.getKey(), channel.getValue()));
      } else {
        open.add(channel.getKey());
      }
    }
    StringBuilder list = new StringBuilder();
    for (String channel : open) {
      if (!list.isEmpty() && list.length() + channel.length() > LONGEST_LIST) {
        lines.add(join(list.toString(), ""));
        list.setLength(0);
      }
      list.append(list.isEmpty() ? "" : ",").append(channel);
    }
    if (!list.isEmpty()) {
      lines.add(join(list.toString(), ""));
    }
    return lines;
  }

  /** Refuses a server on which the account's settings would go wrong. */
  void require(IrcSession session) throws ListeningRefused {
    CaseMapping theirs = session.facts().caseMapping();
    if (settings.caseMapping() == CaseMapping.RFC1459 && theirs != CaseMapping.RFC1459) {
      throw new ListeningRefused(
          "to this server #a[1] and #a{1} are two channels; set casemapping: ascii");
    }
    if (settings.multiline() > 1) {
      int most =
          session.has(IrcBatches.MULTILINE)
              ? Math.min(
                  session.multiline("max-lines", Integer.MAX_VALUE),
                  session.multiline("max-bytes", 0) / (TEXT + 1))
              : 1;
      if (settings.multiline() > most) {
        throw new ListeningRefused(
            "this server takes messages of " + most + " lines; set multiline: " + most);
      }
    }
  }
}
