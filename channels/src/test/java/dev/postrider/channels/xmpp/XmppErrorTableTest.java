package dev.postrider.channels.xmpp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every condition of RFC 6120, and what is made of it. */
class XmppErrorTableTest {
  private static XmlElement error(String type, String condition) {
    return XmlElement.client("message")
        .with("type", "error")
        .with("from", "a@b.c")
        .add(
            XmlElement.client("error")
                .with("type", type)
                .add(XmlElement.of(condition, XmppVerdict.STANZAS))
                .add(XmlElement.of("text", XmppVerdict.STANZAS).text(" Oops ")));
  }

  private static String label(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Rejected(Blame blame, _) -> blame.name();
      case Outcome.Throttled throttled -> {
        assertThat(throttled.scope()).isEqualTo(ThrottleScope.CHAT);
        assertThat(throttled.delay()).isPositive();
        yield "throttled";
      }
      case Outcome other -> other.label();
    };
  }

  @ParameterizedTest
  @CsvSource({
    "modify, bad-request, MESSAGE",
    "cancel, conflict, not-sent",
    "cancel, feature-not-implemented, MESSAGE",
    "auth, forbidden, TARGET",
    "cancel, gone, TARGET",
    "cancel, internal-server-error, unknown",
    "wait, internal-server-error, unknown",
    "cancel, item-not-found, TARGET",
    "modify, jid-malformed, TARGET",
    "modify, not-acceptable, MESSAGE",
    "cancel, not-allowed, TARGET",
    "auth, not-authorized, TARGET",
    "auth, payment-required, TARGET",
    "modify, policy-violation, MESSAGE",
    "wait, policy-violation, throttled",
    "wait, recipient-unavailable, not-sent",
    "cancel, recipient-unavailable, not-sent",
    "modify, redirect, TARGET",
    "auth, registration-required, TARGET",
    "cancel, remote-server-not-found, TARGET",
    "wait, remote-server-not-found, unreachable",
    "wait, remote-server-timeout, unreachable",
    "cancel, remote-server-timeout, unreachable",
    "wait, resource-constraint, throttled",
    "cancel, resource-constraint, throttled",
    "cancel, service-unavailable, TARGET",
    "wait, service-unavailable, not-sent",
    "auth, subscription-required, TARGET",
    "cancel, undefined-condition, MESSAGE",
    "wait, undefined-condition, not-sent",
    "cancel, unexpected-request, MESSAGE",
    "cancel, something-new, MESSAGE",
    "wait, something-new, not-sent"
  })
  void a_condition_means_this_of_a_person(String type, String condition, String means) {
    assertThat(label(XmppVerdict.of(error(type, condition), false))).isEqualTo(means);
  }

  @ParameterizedTest
  @CsvSource({
    "modify, not-acceptable, not-sent",
    "auth, forbidden, TARGET",
    "auth, not-authorized, TARGET",
    "auth, registration-required, TARGET",
    "cancel, not-allowed, TARGET",
    "cancel, item-not-found, TARGET",
    "wait, resource-constraint, throttled",
    "cancel, gone, TARGET"
  })
  void a_condition_means_this_of_a_room(String type, String condition, String means) {
    assertThat(label(XmppVerdict.of(error(type, condition), true))).isEqualTo(means);
  }

  @ParameterizedTest
  @CsvSource({
    "not-authorized, account-broken",
    "account-disabled, account-broken",
    "credentials-expired, account-broken",
    "encryption-required, account-broken",
    "invalid-authzid, account-broken",
    "invalid-mechanism, account-broken",
    "malformed-request, account-broken",
    "mechanism-too-weak, account-broken",
    "incorrect-encoding, account-broken",
    "temporary-auth-failure, not-sent",
    "aborted, not-sent"
  })
  void a_login_that_is_refused_means_this(String condition, String means) {
    assertThat(XmppLogin.REFUSALS.byCode(condition, "").label()).isEqualTo(means);
  }

  @Test
  void the_cause_says_who_refuses_and_why() {
    assertThat(XmppVerdict.of(error("cancel", "gone"), false))
        .isEqualTo(new Outcome.Rejected(Blame.TARGET, "a@b.c: gone (Oops)"));
  }
}
