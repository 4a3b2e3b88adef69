package dev.postrider.channels.zalo;

import static dev.postrider.channels.verdict.ErrorTable.broken;
import static dev.postrider.channels.verdict.ErrorTable.notSent;
import static dev.postrider.channels.verdict.ErrorTable.rejected;
import static dev.postrider.channels.verdict.ErrorTable.repairable;
import static dev.postrider.channels.verdict.ErrorTable.row;
import static dev.postrider.channels.verdict.ErrorTable.throttled;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Set;

/**
 * The error numbers of Official Accounts, as Zalo's pages list them: those of the messages, and of
 * the templates, which speak to the same people. Numbers have changed their meaning between
 * versions; where a text is clearer, it decides.
 */
final class OaErrors {
  static final Duration MINUTE = Duration.ofMinutes(1);
  static final Duration HOUR = Duration.ofHours(1);

  /** The access token is not good, or not any more. */
  static final Set<Integer> TOKEN = Set.of(-216, -220, -124);

  /** More than seven days since the person did something, or they never did. */
  static final Set<Integer> WINDOW = Set.of(-230, -232, -305);

  /** Promotions are not delivered from 22:00 to 6:00 in Vietnam. */
  static final Set<Integer> NIGHT = Set.of(-234, -133);

  private static final ZoneId VIETNAM = ZoneId.of("Asia/Ho_Chi_Minh");

  /** By text, whatever the number. */
  static final ErrorTable BY_TEXT =
      ErrorTable.of(
          repairable(new Fix.UploadInstead(), "attachment_id was expired", "token was expired"),
          repairable(new Fix.DropReply(), "quote_message_id", "quote message"),
          rejected(Blame.TARGET, "user_id is invalid", "invalid user id", "user_id invalid"),
          throttled(ThrottleScope.ACCOUNT, MINUTE, "reached limit call api"),
          throttled(ThrottleScope.CHAT, HOUR, "out of quota receive"),
          throttled(ThrottleScope.ACCOUNT, HOUR, "out of quota"));

  static final ErrorTable BY_CODE =
      ErrorTable.of(
          // The person: unknown, not a follower, gone, or they do not want it.
          rejected(
              Blame.TARGET,
              -207,
              -213,
              -217,
              -222,
              -227,
              -237,
              -244,
              -403,
              -108,
              -110,
              -114,
              -118,
              -119,
              -139,
              -140,
              -141),
          rejected(Blame.MESSAGE, -201, -203, -210, -233, -238, -241, -248, -249),
          row(
              cause ->
                  new Outcome.Rejected(
                      Blame.MESSAGE, cause + " (only a template reaches them now)"),
              WINDOW.toArray()),
          // The template.
          rejected(
              Blame.MESSAGE,
              -106,
              -107,
              -109,
              -111,
              -112,
              -1121,
              -1122,
              -1123,
              -1124,
              -113,
              -1131,
              -116,
              -117,
              -121,
              -122,
              -123,
              -127,
              -128,
              -130,
              -131,
              -132,
              -145,
              -146,
              -148,
              -149,
              -1491,
              -150,
              -151,
              -152,
              -153,
              -161,
              -162),
          notSent(-100, -200),
          throttled(ThrottleScope.ACCOUNT, MINUTE, -32),
          throttled(ThrottleScope.CHAT, MINUTE, -214),
          // What is used up: for all, or for this person. Nobody asks again within the hour.
          throttled(ThrottleScope.ACCOUNT, HOUR, -211, -115, -126, -144, -147, -1441),
          throttled(ThrottleScope.CHAT, HOUR, -218, -311, -1471, -1472),
          // Without money, what is free still passes.
          row(
              cause ->
                  new Outcome.Throttled(
                      ThrottleScope.CHAT,
                      HOUR,
                      cause + " (charge the Zalo Cloud Account that pays for the app)"),
              -320,
              -321,
              -136,
              -137),
          until("the app is activated", -209, -103),
          until("the app has registered the Official Account API", -212),
          until("the app is linked to the Official Account", -206, -105),
          until(
              "the app is authorised again, with the permission to send messages",
              -202,
              -223,
              -138,
              -1381),
          until("the Official Account is verified", -221, -135),
          until("the Official Account has a plan with this feature", -224, -120, -1201, -1202),
          broken(
              -204, -205, -208, -215, -219, -235, -240, -242, -101, -102, -104, -1241, -125,
              -1351));

  /** The account is refused, and a person can mend that. */
  private static ErrorTable.Row until(String remedy, Object... codes) {
    return row(
        cause -> new Outcome.AccountBroken(cause + "; it stands still until " + remedy), codes);
  }

  private OaErrors() {}

  /** How long it is until promotions are delivered again. */
  static Duration untilMorning(Instant now) {
    ZonedDateTime there = now.atZone(VIETNAM);
    ZonedDateTime morning = there.with(LocalTime.of(6, 0));
    return Duration.between(there, morning.isAfter(there) ? morning : morning.plusDays(1));
  }
}
