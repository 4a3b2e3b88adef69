package dev.postrider.channels.imessage;

import dev.postrider.channel.Dispatch;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is done to a message that is there already: a tapback, an edit, its withdrawal. It goes
 * alone, in channel data that is named for it.
 */
public final class MessageAction {
  public static final List<String> NAMES = List.of("reaction", "edit", "unsend");

  private static final List<String> TAPBACKS =
      List.of("love", "like", "dislike", "laugh", "emphasize", "question");

  private MessageAction() {}

  /** The action that a part is; null if it is a message itself. */
  public static @Nullable String of(Dispatch dispatch) {
    return NAMES.stream().filter(dispatch.channelData()::containsKey).findFirst().orElse(null);
  }

  /** Refuses what could not be done. */
  public static void check(Message message, Plan plan) {
    requireIndex("channelData.partIndex", message.channelData().get("partIndex"));
    List<String> actions = new ArrayList<>(NAMES);
    actions.retainAll(message.channelData().keySet());
    if (actions.isEmpty()) {
      return;
    }
    String name = actions.getFirst();
    String field = "channelData." + name;
    if (!(message.channelData().get(name) instanceof Map<?, ?> action)
        || !(action.get("messageGuid") instanceof String guid)
        || !guid.matches("[\\w:/-]{1,100}")) {
      throw new InvalidInput(
          field + ".messageGuid", "is missing; it is the receipt, or the platformId, of a message");
    }
    requireIndex(field + ".partIndex", action.get("partIndex"));
    boolean edit = name.equals("edit");
    if (actions.size() > 1 || !message.media().isEmpty() || edit == (message.text() == null)) {
      throw new InvalidInput(
          field,
          edit
              ? "needs the new text, and goes without media and other actions"
              : "is a message of its own; send it without text, media and other actions");
    }
    if (edit && plan.parts().size() > 1) {
      throw new InvalidInput("text", "is too long for an edit");
    }
    String tapback = String.valueOf(action.get("reaction")).replaceFirst("^-", "");
    if (name.equals("reaction") && !TAPBACKS.contains(tapback)) {
      throw new InvalidInput(
          field + ".reaction",
          "must be one of " + String.join(", ", TAPBACKS) + ", or one of them with - to take it");
    }
  }

  private static void requireIndex(String field, @Nullable Object value) {
    if (value != null && (!(value instanceof Number number) || number.longValue() < 0)) {
      throw new InvalidInput(field, "must be a number from 0");
    }
  }
}
