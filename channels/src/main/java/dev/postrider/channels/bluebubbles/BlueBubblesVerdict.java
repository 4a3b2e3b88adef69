package dev.postrider.channels.bluebubbles;

import static dev.postrider.channels.verdict.ErrorTable.broken;
import static dev.postrider.channels.verdict.ErrorTable.notSent;
import static dev.postrider.channels.verdict.ErrorTable.rejected;
import static dev.postrider.channels.verdict.ErrorTable.repairable;
import static dev.postrider.channels.verdict.ErrorTable.row;
import static dev.postrider.channels.verdict.ErrorTable.throttled;
import static dev.postrider.channels.verdict.ErrorTable.unknown;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.channels.verdict.ForeignAnswer;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads a refusal. The server has few statuses and many sentences: what Messages itself said (its
 * error number) decides, then the sentence, then the status. A 500 is open unless it says more: the
 * script may have sent before it failed.
 */
final class BlueBubblesVerdict {
  /** Somebody is not registered with iMessage. */
  static final long NO_IMESSAGE = 22;

  /** The first request with the same temporary id is still being worked on. */
  private static final Duration STILL_SENDING = Duration.ofSeconds(30);

  /** Sentences, in lower case. The first that occurs decides. */
  private static final ErrorTable SENTENCES =
      ErrorTable.of(
          throttled(ThrottleScope.CHAT, STILL_SENDING, "already queued to be sent"),
          broken(
              "private api is not enabled",
              "not authorized to send apple events",
              "not authorised to send apple events",
              "(-1743)",
              "assistive access",
              "(-25211)"),
          row(Outcome.Unreachable::new, "helper is not connected", "application isn't running"),
          row(Outcome.Unreachable::new, "application isn’t running", "(-600)"),
          repairable(new Fix.DropReply(), "reply target", "selectedmessageguid"),
          rejected(Blame.MESSAGE, "selected message does not exist", "associated chat not found"),
          rejected(
              Blame.TARGET,
              "chat does not exist",
              "can't get chat id",
              "can’t get chat id",
              "can't get participant",
              "can’t get participant",
              "can't get buddy",
              "can’t get buddy",
              "(-1728)",
              "invalid guid"),
          rejected(
              Blame.MESSAGE,
              "only supported on macos",
              "attachment not provided or was empty",
              "invalid send method"),
          notSent("no chat guid provided", "failed to retrieve password from the database"),
          unknown("timed out", "timeout", "not found in database", "see attached message error"));

  /** What to do about errors that a person has to mend. */
  private static final Map<String, String> REMEDIES =
      Map.of(
          "private api is not enabled",
          "switch the Private API on in BlueBubbles, or set method: apple-script",
          "helper is not connected",
          "the Private API's helper does not run inside Messages: see its page in BlueBubbles",
          "apple events",
          "allow BlueBubbles to control Messages: System Settings, Privacy & Security, Automation",
          "can't use the send message (fallback)",
          "there may be no such group, or Messages did not answer");

  private final InstantSource clock;

  BlueBubblesVerdict(InstantSource clock) {
    this.clock = clock;
  }

  Outcome refusal(Response response) {
    JsonNode body = Json.readObject(response.body());
    if (body == null || !body.path("status").isIntegralNumber()) {
      return foreign(response);
    }
    int status = response.status() == 200 ? body.path("status").asInt(0) : response.status();
    Long failure = Json.count(body.path("data").path("error"));
    if (failure != null && failure != 0) {
      return failed(failure);
    }
    String said = said(body);
    String cause = status + (said.isEmpty() ? "" : " " + said) + remedy(said);
    Outcome known = SENTENCES.byText(said, cause);
    return known != null && status != 401 ? known : byStatus(status, cause, response);
  }

  /** Messages tried, and shows it as not delivered. */
  static Outcome failed(long code) {
    return code == NO_IMESSAGE
        ? new Outcome.Rejected(Blame.TARGET, explained(code))
        : new Outcome.NotSent(explained(code));
  }

  /** What an error number of Messages means, as far as anybody outside knows. */
  static String explained(long code) {
    return "Messages could not send it: error "
        + code
        + (code == NO_IMESSAGE
            ? " (the addressee is not registered with iMessage)"
            : code == 4 ? " (it took too long)" : "");
  }

  private Outcome byStatus(int status, String cause, Response response) {
    return switch (status) {
      case 401 ->
          new Outcome.AccountBroken(
              cause + " (the password is not the one in BlueBubbles' settings)");
      case 403 -> new Outcome.AccountBroken(cause);
      case 404 -> new Outcome.Rejected(Blame.TARGET, cause);
      case 429 -> foreign(response);
      default ->
          status / 100 == 4
              ? new Outcome.Rejected(Blame.MESSAGE, cause)
              : new Outcome.Unknown(cause);
    };
  }

  private static String said(JsonNode body) {
    String detail = Json.text(body.path("error"), "message");
    String message = Json.text(body, "message");
    return detail != null ? detail : message == null ? "" : message;
  }

  private static String remedy(String said) {
    String lower = said.toLowerCase(java.util.Locale.ROOT);
    @Nullable String remedy = null;
    for (Map.Entry<String, String> each : REMEDIES.entrySet()) {
      remedy = lower.contains(each.getKey()) ? each.getValue() : remedy;
    }
    return remedy == null ? "" : " (" + remedy + ")";
  }

  private Outcome foreign(Response response) {
    return new ForeignAnswer(
            clock,
            null,
            ThrottleScope.ACCOUNT,
            Set.of(401, 403, 404),
            "whether baseUrl is the address of the BlueBubbles server")
        .read(response);
  }
}
