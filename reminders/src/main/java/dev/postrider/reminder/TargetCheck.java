package dev.postrider.reminder;

import dev.postrider.config.NearestName;
import dev.postrider.message.WellFormed;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problems;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks the targets over: that each can be addressed, that none is there twice, and that each has
 * the values that the texts need. One pass, however many there are.
 */
final class TargetCheck {
  private final List<String> accounts;
  private final Problems problems;

  /** The names that values are needed for, each with a text that needs it. */
  private final Map<String, String> needs = new LinkedHashMap<>();

  /** The messages that may come to nothing, by their index. */
  private final Map<Integer, Content> doubtful = new LinkedHashMap<>();

  private final Map<Chat, Integer> firstOfChat = new HashMap<>();
  private final Map<String, Integer> firstOfAddress = new HashMap<>();

  /** A chat; without an account, it may be that of any. */
  private record Chat(String to, @Nullable String account) {}

  TargetCheck(List<String> accounts, List<Content> messages, Problems problems) {
    this.accounts = accounts;
    this.problems = problems;
    for (int i = 0; i < messages.size(); i++) {
      Content message = messages.get(i);
      String prefix = "messages[" + i + "].";
      message
          .needs()
          .forEach((field, names) -> names.forEach(it -> needs.putIfAbsent(it, prefix + field)));
      if (!message.saysSomething()) {
        doubtful.put(i, message);
      }
    }
  }

  void all(List<Target> targets) {
    for (int i = 0; i < targets.size(); i++) {
      address(i, targets.get(i));
      account(i, targets.get(i));
      duplicate(i, targets.get(i));
      values(i, targets.get(i));
    }
  }

  private void add(int target, String field, String problem) {
    problems.add("targets[" + target + "]." + field, problem);
  }

  private void address(int index, Target target) {
    String problem = ReminderCheck.problem(target.to(), ReminderCheck.LONGEST_ADDRESS);
    if (problem != null) {
      add(index, "to", problem);
    }
    try {
      WellFormed.require("name", target.name());
      WellFormed.require("variables", target.variables());
    } catch (InvalidInput e) {
      problems.addUnder("targets[" + index + "]", e);
    }
  }

  private void account(int index, Target target) {
    String account = target.account();
    if (account != null && !accounts.contains(account)) {
      add(
          index,
          "account",
          "'%s' is none of the reminder's accounts%s"
              .formatted(account, NearestName.hint(account, accounts)));
    }
  }

  private void duplicate(int index, Target target) {
    String account =
        target.account() == null && accounts.size() == 1 ? accounts.getFirst() : target.account();
    Integer first =
        account == null
            ? firstOfAddress.get(target.to())
            : firstOfChat.getOrDefault(
                new Chat(target.to(), account), firstOfChat.get(new Chat(target.to(), null)));
    if (first != null) {
      add(index, "to", "'%s' is targets[%d] too; keep one of them".formatted(target.to(), first));
    }
    firstOfChat.putIfAbsent(new Chat(target.to(), account), index);
    firstOfAddress.putIfAbsent(target.to(), index);
  }

  private void values(int index, Target target) {
    Map<String, String> values = target.values();
    boolean complete = true;
    for (Map.Entry<String, String> need : needs.entrySet()) {
      if (!values.containsKey(need.getKey())) {
        complete = false;
        add(
            index,
            "variables." + need.getKey(),
            "is missing; " + need.getValue() + " says {{" + need.getKey() + "}}");
      }
    }
    if (complete) {
      doubtful.forEach((message, content) -> substance(index, target, message, content));
    }
  }

  private void substance(int index, Target target, int message, Content content) {
    Template text = content.text();
    if (text != null && text.fill(target.values()).isBlank()) {
      String names = String.join(" and ", text.names());
      add(
          index,
          "variables",
          "leave nothing for messages[%d].text to say; give a value for %s"
              .formatted(message, names));
    }
  }
}
