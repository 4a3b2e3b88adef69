package dev.postrider.channels.xmpp;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.verdict.ErrorTable;
import java.time.Duration;

/**
 * What the errors of stanzas mean (RFC 6120, 8.3.3; for rooms XEP-0045). Each names a condition,
 * and a type that says whether it would pass later.
 */
final class XmppVerdict {
  static final String STANZAS = "urn:ietf:params:xml:ns:xmpp-stanzas";

  private static final Duration PAUSE = Duration.ofMinutes(1);

  /** Conditions whose type is {@code wait}: the same would pass later. */
  private static final ErrorTable LATER =
      ErrorTable.of(
          ErrorTable.throttled(
              ThrottleScope.CHAT, PAUSE, "resource-constraint", "policy-violation"),
          ErrorTable.row(
              Outcome.Unreachable::new, "remote-server-timeout", "remote-server-not-found"),
          ErrorTable.unknown("internal-server-error"));

  /** All the others. */
  private static final ErrorTable ERRORS =
      ErrorTable.of(
          ErrorTable.rejected(
              Blame.TARGET,
              "forbidden",
              "gone",
              "item-not-found",
              "jid-malformed",
              "not-allowed",
              "not-authorized",
              "payment-required",
              "redirect",
              "registration-required",
              "remote-server-not-found",
              "service-unavailable",
              "subscription-required"),
          ErrorTable.rejected(
              Blame.MESSAGE,
              "bad-request",
              "feature-not-implemented",
              "not-acceptable",
              "policy-violation",
              "undefined-condition",
              "unexpected-request"),
          ErrorTable.notSent("conflict", "recipient-unavailable"),
          ErrorTable.row(Outcome.Unreachable::new, "remote-server-timeout"),
          ErrorTable.throttled(ThrottleScope.CHAT, PAUSE, "resource-constraint"),
          ErrorTable.unknown("internal-server-error"));

  /** What a room means by it, where that is something else. */
  private static final ErrorTable ROOMS =
      ErrorTable.of(
          ErrorTable.notSent("not-acceptable"), // we are not in it, or no more
          ErrorTable.row(
              cause ->
                  new Outcome.Rejected(
                      Blame.TARGET, cause + "; we have no voice in the room, or are banned"),
              "forbidden"),
          ErrorTable.row(
              cause -> new Outcome.Rejected(Blame.TARGET, cause + "; the room has a password"),
              "not-authorized"),
          ErrorTable.row(
              cause -> new Outcome.Rejected(Blame.TARGET, cause + "; the room is for members only"),
              "registration-required"));

  private XmppVerdict() {}

  /**
   * What a stanza of type {@code error} means for the one that it answers.
   *
   * @param room whether that went to a room
   */
  static Outcome of(XmlElement stanza, boolean room) {
    XmlElement error = stanza.child("error", XmlElement.CLIENT);
    String type = error == null ? "" : error.get("type", "");
    String condition = condition(stanza);
    String cause = describe(stanza);
    Outcome known = type.equals("wait") ? LATER.byCode(condition, cause) : null;
    if (known == null && room) {
      known = ROOMS.byCode(condition, cause);
    }
    if (known == null && type.equals("wait")) {
      known = new Outcome.NotSent(cause);
    }
    if (known == null) {
      known = ERRORS.byCode(condition, cause);
    }
    return known == null ? new Outcome.Rejected(Blame.MESSAGE, cause) : known;
  }

  static String condition(XmlElement stanza) {
    XmlElement error = stanza.child("error", XmlElement.CLIENT);
    if (error != null) {
      for (XmlElement child : error) {
        if (child.namespace().equals(STANZAS) && !child.name().equals("text")) {
          return child.name();
        }
      }
    }
    return "undefined-condition";
  }

  /** Condition and text of an error, in words that stay the same. */
  static String describe(XmlElement stanza) {
    XmlElement error = stanza.child("error", XmlElement.CLIENT);
    if (error == null) {
      return stanza.name() + " of type " + stanza.get("type", "none");
    }
    String text = error.textOf("text", STANZAS);
    String from = stanza.get("from", "the server");
    return from + ": " + condition(stanza) + (text == null ? "" : " (" + text.strip() + ")");
  }
}
