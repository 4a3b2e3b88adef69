package dev.postrider.channels.nostr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one relay's word means, and what the words of several come to. */
class NostrVerdictTest {
  private static final String EVENT = "ab".repeat(32);

  private static String labelled(Outcome outcome) {
    return outcome instanceof Outcome.Rejected rejected
        ? "rejected-" + rejected.blame().name().toLowerCase(java.util.Locale.ROOT)
        : outcome.label();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          true  | ''                                             | delivered
          true  | 'pow: difficulty 25>=24'                       | delivered
          true  | 'duplicate: already have this event'           | delivered
          false | 'duplicate: already have this event'           | delivered
          false | 'blocked: you are banned from posting here'    | rejected-target
          false | 'rate-limited: slow down there chief'          | throttled
          false | 'invalid: event creation date is too far off'  | rejected-message
          false | 'pow: difficulty 26 is less than 30'           | rejected-message
          false | 'restricted: not allowed to write.'            | account-broken
          false | 'auth-required: we only accept members'        | account-broken
          false | 'error: could not connect to the database'     | not-sent
          false | 'mute: no one was listening'                   | rejected-target
          false | 'shutting down'                                | not-sent
          false | 'brandnew: a word that nobody knows yet'       | not-sent
          false | ''                                             | not-sent
          """)
  void every_prefix_has_its_meaning(boolean taken, String message, String label) {
    assertThat(labelled(NostrVerdict.read(taken, message, "relay.example", EVENT)))
        .isEqualTo(label);
  }

  /** d: has it, t: too fast, u: unknown, n: not yet, a: away, m: invalid, b: blocked, r: closed. */
  private static Outcome answer(char letter) {
    return switch (letter) {
      case 'd' -> Outcome.delivered(EVENT);
      case 't' -> NostrVerdict.read(false, "rate-limited: x", "h", EVENT);
      case 'u' -> new Outcome.Unknown("h is silent");
      case 'n' -> NostrVerdict.read(false, "error: x", "h", EVENT);
      case 'a' -> new Outcome.Unreachable("nobody at h");
      case 'm' -> NostrVerdict.read(false, "invalid: x", "h", EVENT);
      case 'b' -> NostrVerdict.read(false, "blocked: x", "h", EVENT);
      case 'r' -> NostrVerdict.read(false, "restricted: x", "h", EVENT);
      default -> throw new IllegalArgumentException("" + letter);
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          d   | 1 | delivered        | delivered
          ddm | 2 | delivered        | delivered
          dbr | 1 | delivered        | delivered
          da  | 2 | unknown          | unknown
          du  | 2 | unknown          | unknown
          dt  | 2 | throttled        | throttled
          ta  | 1 | throttled        | throttled
          ua  | 1 | unknown          | unknown
          na  | 1 | not-sent         | not-sent
          aa  | 2 | unreachable      | unreachable
          ab  | 1 | unreachable      | unreachable
          dmm | 2 | rejected-message | rejected-message
          dbb | 2 | rejected-message | rejected-target
          brb | 2 | account-broken   | rejected-target
          mr  | 1 | rejected-message | rejected-message
          ubb | 2 | rejected-message | rejected-target
          """)
  void the_answers_of_several_come_to_one(
      String answers, int quorum, String onOurRelays, String onTheirs) {
    List<Outcome> all = Stream.of(answers.split("")).map(each -> answer(each.charAt(0))).toList();
    assertThat(labelled(NostrVerdict.of(all, quorum, EVENT, true))).isEqualTo(onOurRelays);
    assertThat(labelled(NostrVerdict.of(all, quorum, EVENT, false))).isEqualTo(onTheirs);
  }
}
