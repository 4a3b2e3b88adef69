package dev.postrider.channels.slack;

import dev.postrider.channel.Dispatch;
import dev.postrider.problem.InvalidInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message's own text above its blocks. Slack shows the text of a message with blocks in
 * notifications only, so it becomes sections before them.
 */
final class SlackBlocks {
  private static final int MOST = 50;

  /** A section may have 3000 characters; some stay free to end and begin a code block. */
  private static final int SECTION = 2900;

  private static final String FENCE = "```";

  private SlackBlocks() {}

  /**
   * The text's sections and the blocks.
   *
   * @throws InvalidInput if those are more than Slack takes
   */
  static List<Object> below(Dispatch dispatch, @Nullable String text, List<?> blocks) {
    List<Object> all = new ArrayList<>();
    if (text != null) {
      boolean markup = !Boolean.FALSE.equals(dispatch.channelData().get("mrkdwn"));
      String type = markup ? "mrkdwn" : "plain_text";
      String shown = markup ? text : String.valueOf(dispatch.text());
      for (String section : sections(shown, markup)) {
        all.add(Map.of("type", "section", "text", Map.of("type", type, "text", section)));
      }
    }
    if (all.size() + blocks.size() > MOST) {
      throw new InvalidInput(
          "channelData.blocks",
          "are %d, and the text above them takes %d; Slack takes %d in all"
              .formatted(blocks.size(), all.size(), MOST));
    }
    all.addAll(blocks);
    return all;
  }

  /** Cut at the end of a line where there is one; code goes on as code. */
  static List<String> sections(String text, boolean markup) {
    List<String> sections = new ArrayList<>();
    String rest = text;
    while (rest.length() > SECTION) {
      int end = rest.lastIndexOf('\n', SECTION);
      end = end > SECTION / 2 ? end : SECTION;
      end -= Character.isHighSurrogate(rest.charAt(end - 1)) ? 1 : 0;
      String section = rest.substring(0, end);
      rest = rest.substring(end).stripLeading();
      if (markup && isInCode(section)) {
        section += "\n" + FENCE;
        rest = FENCE + "\n" + rest;
      }
      sections.add(section);
    }
    sections.add(rest);
    return sections;
  }

  private static boolean isInCode(String text) {
    return text.split(FENCE, -1).length % 2 == 0;
  }
}
