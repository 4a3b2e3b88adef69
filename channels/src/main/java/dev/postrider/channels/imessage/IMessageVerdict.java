package dev.postrider.channels.imessage;

import static dev.postrider.channels.verdict.ErrorTable.broken;
import static dev.postrider.channels.verdict.ErrorTable.notSent;
import static dev.postrider.channels.verdict.ErrorTable.rejected;
import static dev.postrider.channels.verdict.ErrorTable.row;
import static dev.postrider.channels.verdict.ErrorTable.unknown;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channels.process.JsonRpc.Answer;
import dev.postrider.channels.verdict.ErrorTable;
import java.util.Locale;

/** Reads a refusal of {@code imsg}: a JSON-RPC code, and in its data a sentence, which decides. */
final class IMessageVerdict {
  private static final String DISK =
      "imsg may not read Messages' database: give Full Disk Access to the program that starts"
          + " Postrider (a terminal, or java) in System Settings, Privacy & Security, and start it"
          + " anew";
  private static final String AUTOMATION =
      "imsg may not control Messages: switch Messages on for the program that starts Postrider in"
          + " System Settings, Privacy & Security, Automation";

  /** What is to be said instead of two dozen lines. */
  private static final String BRIDGE =
      " (imsg's bridge does not run: start it with imsg launch, which needs System Integrity"
          + " Protection to be off)";

  static final String NO_BRIDGE = "bridge not ready";

  /** Sentences, in lower case. The first that occurs decides. */
  private static final ErrorTable SENTENCES =
      ErrorTable.of(
          row(
              _ -> new Outcome.AccountBroken(DISK),
              "full disk access",
              "permission error",
              "unable to open database",
              "authorization denied"),
          row(
              _ -> new Outcome.AccountBroken(AUTOMATION),
              "not authorized to send apple events",
              "not authorised to send apple events",
              "(-1743)"),
          broken("only supported on macos"),
          row(
              Outcome.Unreachable::new,
              "application isn't running",
              "application isn’t running",
              "(-600)"),
          rejected(Blame.MESSAGE, NO_BRIDGE, "bridge transport", "unsupported tapback"),
          rejected(
              Blame.TARGET,
              "unknown chat_id",
              "invalid chat target",
              "chat not found",
              "could not resolve chat guid",
              "missing chat identifier",
              "can't get chat",
              "can’t get chat",
              "can't get participant",
              "can’t get participant",
              "can't get buddy",
              "can’t get buddy",
              "(-1728)"),
          unknown("timed out", "(-1712)", "malformed bridge response"),
          // macOS 26 writes a row without text and chat, and delivers nothing.
          notSent("unjoined empty outgoing row", "attachment not found", "bridge io error"));

  private IMessageVerdict() {}

  static Outcome of(Answer.Refused refused) {
    String said = refused.data().asString("");
    String sentence = said.isBlank() ? refused.message() : said;
    String cause = "imsg says " + refused.code() + ": " + brief(sentence);
    Outcome known = SENTENCES.byText(sentence, cause + (isNoBridge(sentence) ? BRIDGE : ""));
    if (known != null) {
      return known;
    }
    return switch (refused.code()) {
      case -32601 ->
          new Outcome.Rejected(Blame.MESSAGE, cause + " (this imsg is too old for it: update it)");
      case -32602 -> new Outcome.Rejected(Blame.MESSAGE, cause);
      case -32700, -32600 -> new Outcome.NotSent(cause);
      default -> new Outcome.Unknown(cause);
    };
  }

  static boolean isNoBridge(String sentence) {
    return sentence.toLowerCase(Locale.ROOT).contains(NO_BRIDGE);
  }

  private static String brief(String sentence) {
    String line = sentence.replaceAll("\\s+", " ").strip();
    return line.length() <= 300 ? line : line.substring(0, 300) + "…";
  }
}
