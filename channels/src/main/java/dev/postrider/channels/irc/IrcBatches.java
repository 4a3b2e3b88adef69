package dev.postrider.channels.irc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts together what belongs together (IRCv3 batch). For one thread. */
final class IrcBatches {
  static final String MULTILINE = "draft/multiline";
  static final String CONCAT = "draft/multiline-concat";

  private static final int MOST_OPEN = 100;
  private static final int MOST_LINES = 10_000;

  private record Batch(IrcMessage opener, List<IrcMessage> lines) {

    /** What it comes to; never nothing if somebody waits for it by label. */
    List<IrcMessage> whole() {
      String label = opener.tag("label");
      if (opener.param(1).equals(MULTILINE) && !lines.isEmpty()) {
        return List.of(merged());
      }
      if (label.isEmpty()) {
        return lines;
      }
      return lines.isEmpty()
          ? List.of(new IrcMessage(opener.tags(), opener.source(), "ACK", List.of()))
          : lines.stream().map(line -> labelled(line, label)).toList();
    }

    private static IrcMessage labelled(IrcMessage line, String label) {
      Map<String, String> tags = new LinkedHashMap<>(line.tags());
      tags.put("label", label);
      return line.withTags(tags);
    }

    private IrcMessage merged() {
      StringBuilder text = new StringBuilder();
      for (IrcMessage line : lines) {
        boolean further = !text.isEmpty() && !line.tags().containsKey(CONCAT);
        text.append(further ? "\n" : "").append(line.last());
      }
      IrcMessage first = lines.getFirst();
      return new IrcMessage(
          opener.tags(),
          first.source(),
          first.command(),
          List.of(opener.param(2), text.toString()));
    }
  }

  private final Map<String, Batch> open = new HashMap<>();

  /** What is complete with this line; nothing while its batch is open. */
  List<IrcMessage> take(IrcMessage message) throws IOException {
    String sign = message.is("BATCH") ? message.param(0) : "";
    if (sign.startsWith("+")) {
      if (open.size() >= MOST_OPEN) {
        throw new IOException("the server opens batches without an end");
      }
      open.put(sign.substring(1), new Batch(message, new ArrayList<>()));
      return List.of();
    }
    if (sign.startsWith("-")) {
      Batch done = open.remove(sign.substring(1));
      return done == null ? List.of() : within(done.opener.tag("batch"), done.whole());
    }
    return within(message.tag("batch"), List.of(message));
  }

  private List<IrcMessage> within(String batch, List<IrcMessage> some) throws IOException {
    Batch around = batch.isEmpty() ? null : open.get(batch);
    if (around == null) {
      return some;
    }
    around.lines.addAll(some);
    if (around.lines.size() > MOST_LINES) {
      throw new IOException("the server opens a batch without an end");
    }
    return List.of();
  }
}
