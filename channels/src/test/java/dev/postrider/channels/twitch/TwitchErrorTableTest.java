package dev.postrider.channels.twitch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.TestAccount;
import dev.postrider.testkit.platform.Reply;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why Twitch drops messages with status 200, what its other statuses say, and what it means. */
class TwitchErrorTableTest {
  private final FakeTwitch twitch = new FakeTwitch(java.time.InstantSource.system());
  private final TestAccount account = TestAccount.of(twitch.account());
  private final Link link = new TwitchChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    twitch.close();
  }

  private static String name(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Rejected it -> "rejected " + it.blame();
      case Outcome.Throttled it -> "throttled " + it.scope() + " " + it.delay();
      case Outcome.Repairable it -> "repairable " + it.fix().getClass().getSimpleName();
      default -> outcome.label();
    };
  }

  private Outcome send(Reply reply) throws Exception {
    twitch.helix.answer(reply);
    return link.send(account.part(FakeTwitch.ANN, "x"));
  }

  @ParameterizedTest
  @CsvSource({
    "msg_ratelimit, You are sending messages too quickly., throttled CHAT PT30S",
    "msg_slowmode, You will be able to talk again in 12 seconds., throttled CHAT PT13S",
    "msg_slowmode, This room is in slow mode., throttled CHAT PT30S",
    "msg_timedout, You are timed out for 599 more seconds., throttled CHAT PT10M",
    "msg_duplicate, identical to the previous one you sent, throttled CHAT PT30S",
    "msg_rejected, being checked by mods and has not been sent., accepted",
    "automod_held, Held, accepted",
    "msg_banned, You are permanently banned, rejected TARGET",
    "msg_channel_suspended, This channel has been suspended., rejected TARGET",
    "msg_channel_blocked, blocked, rejected TARGET",
    "msg_followersonly, followers-only, rejected TARGET",
    "msg_followersonly_followed, followers-only, rejected TARGET",
    "msg_followersonly_zero, followers-only, rejected TARGET",
    "msg_subsonly, subscribers-only, rejected TARGET",
    "msg_emoteonly, emote-only, rejected TARGET",
    "msg_room_not_found, This room is unavailable., rejected TARGET",
    "tos_ban, closed due to Terms of Service violations., rejected TARGET",
    "user_warned, acknowledge the warning, rejected TARGET",
    "msg_rejected_mandatory, conflicts with moderation settings, rejected MESSAGE",
    "channel_settings, conflicts with moderation settings, rejected MESSAGE",
    "msg_bad_characters, too many characters, rejected MESSAGE",
    "msg_r9k, unique-chat mode, rejected MESSAGE",
    "msg_requires_verified_phone_number, verify, account-broken",
    "msg_verified_email, verify, account-broken",
    "msg_suspended, You do not have permission, account-broken",
    "slow, This room is in slow mode, throttled CHAT PT30S",
    "new_code, You are banned from talking, rejected TARGET",
    "new_code, nobody knows, rejected MESSAGE"
  })
  void dropped(String code, String text, String outcome) throws Exception {
    Outcome got = send(FakeTwitch.dropped(code, text));
    assertThat(name(got)).isEqualTo(outcome);
    assertThat(got.toString()).contains(code);
  }

  @ParameterizedTest
  @CsvSource({
    "400, The parameter \"message\" is missing, rejected MESSAGE",
    "400, The ID in broadcaster_id is not valid, rejected TARGET",
    "400, The ID in reply_parent_message_id is not valid, repairable DropReply",
    "401, Missing scope: user:write:chat, account-broken",
    "401, The ID in sender_id must match the user ID in the token, account-broken",
    "401, Client ID and OAuth token do not match, account-broken",
    "401, Invalid OAuth token, account-broken",
    "403, The sender is not permitted, rejected TARGET",
    "404, Not Found, account-broken",
    "413, Payload too large, rejected MESSAGE",
    "422, The message is too large, rejected MESSAGE",
    "418, a teapot, rejected MESSAGE",
    "500, Internal Server Error, unknown",
    "503, Service Unavailable, unknown"
  })
  void refused(int status, String text, String outcome) throws Exception {
    Outcome got = send(FakeTwitch.error(status, text));
    assertThat(name(got)).isEqualTo(outcome);
    assertThat(got.toString()).contains(status + " " + text);
  }

  @Test
  void a_limit_lasts_until_the_bucket_is_full_again() throws Exception {
    long reset = account.scheduler().instant().plusSeconds(41).getEpochSecond();
    Outcome got =
        send(
            FakeTwitch.error(429, "Too Many Requests")
                .header("Ratelimit-Limit", "800")
                .header("Ratelimit-Remaining", "0")
                .header("Ratelimit-Reset", Long.toString(reset)));
    assertThat(name(got)).isEqualTo("throttled ACCOUNT PT41S");
    assertThat(name(send(FakeTwitch.error(429, "slower").header("Ratelimit-Reset", "soon"))))
        .isEqualTo("throttled ACCOUNT PT5S");
  }

  @Test
  void several_chats_that_are_turned_away_are_the_bots_trouble() throws Exception {
    for (String chat : new String[] {"1", "2", "3"}) {
      twitch.helix.answer(FakeTwitch.dropped("msg_ratelimit", "too quickly"));
      Outcome got = link.send(account.part(chat, "x"));
      assertThat(name(got))
          .isEqualTo(chat.equals("3") ? "throttled ACCOUNT PT30S" : "throttled CHAT PT30S");
    }
  }

  @Test
  void what_moderators_look_at_first_is_accepted_and_says_so() throws Exception {
    assertThat(send(FakeTwitch.dropped("msg_rejected", "being checked by mods")))
        .isInstanceOfSatisfying(
            Outcome.Delivered.class, it -> assertThat(it.note()).contains("held until moderators"));
  }

  @Test
  void what_the_account_calls_permanent_ends_a_message() throws Exception {
    TestAccount strict = TestAccount.of(twitch.account().set("permanentErrors", "kaputt"));
    try (Link other = new TwitchChannel().open(strict)) {
      twitch.helix.answer(FakeTwitch.error(500, "all is kaputt"));
      assertThat(name(other.send(strict.part(FakeTwitch.ANN, "x")))).isEqualTo("rejected MESSAGE");
    }
  }

  @Test
  void a_gateway_that_says_when_to_come_back_is_an_outage() throws Exception {
    assertThat(send(Reply.html(503, "<h1>later</h1>").header("Retry-After", "7")))
        .isInstanceOfSatisfying(
            Outcome.Unreachable.class,
            it -> assertThat(it.notBefore()).isEqualTo(Duration.ofSeconds(7)));
  }
}
