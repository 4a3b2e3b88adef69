package dev.postrider.channels.email;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.email.SmtpSubmission.Refusal;
import dev.postrider.channels.email.SmtpSubmission.Stage;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads a refusal: by its enhanced code, then its code, then its words. What was refused matters as
 * much: before a recipient is named, no recipient can be to blame.
 *
 * @param throttle the pause, as a mail server never says how long
 */
record SmtpVerdict(Duration throttle) {
  private static final Set<Integer> CREDENTIALS = Set.of(530, 534, 535, 538);
  private static final Set<Integer> MAY_THROTTLE = Set.of(421, 450, 451);
  private static final Set<String> THROTTLES = Set.of("421 4.7.0", "450 4.2.1", "451 4.7.0");

  private static final Pattern TOO_FAST =
      Pattern.compile(
          "\\brate\\b|throttl|too (many|fast)|limit|slow down", Pattern.CASE_INSENSITIVE);
  private static final Pattern GREYLISTED =
      Pattern.compile("gr[ea]y-?list", Pattern.CASE_INSENSITIVE);

  /**
   * @param onlyRecipient whether nobody but the chat was to get the letter
   */
  Outcome of(Stage stage, boolean onlyRecipient, Refusal refusal) {
    return refusal.code() < 500 ? notNow(stage, refusal) : never(stage, onlyRecipient, refusal);
  }

  private Outcome notNow(Stage stage, Refusal refusal) {
    if (!isThrottle(refusal)) {
      return new Outcome.NotSent(refusal.text());
    }
    // Refused with the recipient, it is the recipient's server or mailbox that has had enough.
    ThrottleScope scope = stage == Stage.RECIPIENT ? ThrottleScope.CHAT : ThrottleScope.ACCOUNT;
    return new Outcome.Throttled(scope, throttle, refusal.text());
  }

  private static boolean isThrottle(Refusal refusal) {
    return MAY_THROTTLE.contains(refusal.code())
        && !GREYLISTED.matcher(refusal.text()).find()
        && (THROTTLES.contains(refusal.code() + " " + refusal.status())
            || TOO_FAST.matcher(refusal.text()).find());
  }

  private static Outcome never(Stage stage, boolean onlyRecipient, Refusal refusal) {
    boolean credentials = CREDENTIALS.contains(refusal.code()) || refusal.status().equals("5.7.8");
    return switch (stage) {
      case HELLO -> new Outcome.AccountBroken(refusal.text());
      case SENDER ->
          isTooLarge(refusal)
              ? new Outcome.Rejected(Blame.MESSAGE, refusal.text())
              : new Outcome.AccountBroken(refusal.text());
      case RECIPIENT, DATA, DOT ->
          credentials
              ? new Outcome.AccountBroken(refusal.text())
              : new Outcome.Rejected(
                  onlyRecipient ? blame(stage, refusal) : Blame.MESSAGE, refusal.text());
    };
  }

  private static boolean isTooLarge(Refusal refusal) {
    return refusal.code() == 552 || refusal.status().equals("5.3.4");
  }

  private static Blame blame(Stage stage, Refusal refusal) {
    String status = refusal.status();
    if (status.startsWith("5.1.")) {
      return Blame.TARGET;
    }
    if (status.startsWith("5.7.") || status.equals("5.3.4")) {
      return Blame.MESSAGE;
    }
    boolean ofRecipient =
        stage == Stage.RECIPIENT || Set.of(550, 551, 553).contains(refusal.code());
    return ofRecipient ? Blame.TARGET : Blame.MESSAGE;
  }
}
