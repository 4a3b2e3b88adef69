package dev.postrider.channels.irc;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.message.Receipt;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a server's answers to a message, or to a JOIN before it, mean. */
final class IrcVerdict {
  private static final Duration A_MOMENT = Duration.ofSeconds(10);
  private static final Pattern SECONDS = Pattern.compile("(\\d{1,5}) ?s(?:ec|\\b)");

  static final String NO_ECHO =
      "the server has read it and sent no echo: it may have shown it to nobody";

  /** By number, and for FAIL by its code. */
  static final ErrorTable ERRORS =
      ErrorTable.of(
          // no such nick, channel; cannot send there; too many channels, targets; no such service
          ErrorTable.rejected(Blame.TARGET, 401, 402, 403, 404, 405, 408),
          // forwarded; full, by invitation, banned, key, bad name, registered only, illegal name
          ErrorTable.rejected(Blame.TARGET, 470, 471, 473, 474, 475, 476, 477, 478, 479),
          // by TLS only, by rank only; takes no messages from us (+g, +R, common channels)
          ErrorTable.rejected(Blame.TARGET, 486, 489, 490, 492, 494, 495, 519, 520, 531, 716),
          ErrorTable.rejected(
              Blame.TARGET, "INVALID_TARGET", "CANNOT_SEND_TO_CHAN", "MULTILINE_INVALID_TARGET"),
          // several targets, no target, no text, wildcards; too long; unknown command, too few
          // words
          ErrorTable.rejected(Blame.MESSAGE, 407, 411, 412, 413, 414, 415, 417, 421, 461),
          ErrorTable.rejected(
              Blame.MESSAGE,
              "INVALID_UTF8",
              "INVALID_MESSAGE",
              "MULTILINE_INVALID",
              "MULTILINE_MAX_BYTES",
              "MULTILINE_MAX_LINES"),
          // not there any more, for now not to be had, not logged in yet
          ErrorTable.notSent(437, 442, 451, "TEMPORARILY_UNAVAILABLE", "INTERNAL_ERROR"),
          ErrorTable.row(cause -> throttled(ThrottleScope.ACCOUNT, cause), 263, "RATE_LIMITED"),
          ErrorTable.row(cause -> throttled(ThrottleScope.CHAT, cause), 439, 707),
          ErrorTable.broken(464, 465, 466, "ACCOUNT_REQUIRED_TO_CONNECT"));

  /** Errors that do not name whom the message was for. */
  private static final Set<String> NAMELESS =
      Set.of("263", "411", "412", "413", "414", "417", "451", "464", "465", "466", "FAIL");

  private IrcVerdict() {}

  private static Outcome throttled(ThrottleScope scope, String cause) {
    Matcher seconds = SECONDS.matcher(cause);
    Duration asked =
        seconds.find() ? Duration.ofSeconds(Long.parseLong(seconds.group(1))) : A_MOMENT;
    return new Outcome.Throttled(scope, asked, cause);
  }

  /**
   * What a message came to. An echo is the proof that others see it. Without one, and without a
   * refusal, the server has read the line, and that is all that is known.
   *
   * @param ours what the message is called if the server gives it no id
   */
  static Outcome message(List<IrcMessage> said, IrcSession session, String target, String ours) {
    IrcMessage echo =
        said.stream()
            .filter(one -> one.is("PRIVMSG") || one.is("NOTICE"))
            .filter(one -> session.isMe(one.nick()) && session.same(one.param(0), target))
            .findFirst()
            .orElse(null);
    String away = away(said);
    if (echo != null) {
      String id = echo.tag("msgid");
      return delivered(new Receipt(id.isEmpty() ? ours : id, false), away);
    }
    Outcome refused = refusal(said, session, target);
    if (refused != null) {
      return refused;
    }
    return delivered(
        new Receipt(ours, true), away == null && session.has("echo-message") ? NO_ECHO : away);
  }

  private static Outcome delivered(Receipt receipt, @Nullable String note) {
    return new Outcome.Delivered(receipt, Map.of(), List.of(), note);
  }

  private static @Nullable String away(List<IrcMessage> said) {
    return said.stream()
        .filter(one -> one.command().equals("301"))
        .map(one -> "away: " + one.words().replaceFirst("^301 ", ""))
        .findFirst()
        .orElse(null);
  }

  /** What a server refuses; null if it does not. */
  static @Nullable Outcome refusal(List<IrcMessage> said, IrcSession session, String target) {
    for (IrcMessage one : said) {
      if ((one.isRefusal() || one.command().equals("470")) && concerns(one, session, target)) {
        String cause = one.words();
        Outcome known = ERRORS.byCode(one.is("FAIL") ? one.param(1) : one.command(), cause);
        return known == null ? new Outcome.Rejected(Blame.MESSAGE, cause) : known;
      }
    }
    return null;
  }

  /** By label it does. Else it names the target, or is one of those that name nobody. */
  private static boolean concerns(IrcMessage one, IrcSession session, String target) {
    return !one.tag("label").isEmpty()
        || NAMELESS.contains(one.command())
        || one.params().stream().skip(1).anyMatch(param -> session.same(param, target))
        || one.param(1).matches("(?i)PRIVMSG|NOTICE|JOIN|BATCH");
  }
}
