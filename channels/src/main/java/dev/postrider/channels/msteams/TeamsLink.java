package dev.postrider.channels.msteams;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.token.TokenSource;
import dev.postrider.message.Fix;
import dev.postrider.message.Receipt;
import java.io.IOException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One bot's connection. Thread-safe. */
final class TeamsLink implements Link {
  private final String appId;
  private final @Nullable String tenant;
  private final ConnectorApi api;
  private final TeamsVerdict verdict;
  private final Memory memory;

  TeamsLink(Settings settings, InstantSource clock, Memory memory) {
    appId = settings.required("appId");
    String given = settings.text("tenantId", "");
    tenant = given.isEmpty() ? null : given;
    api = new ConnectorApi(settings, clock);
    verdict = new TeamsVerdict(PermanentErrors.of(settings), clock);
    this.memory = memory;
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    TeamsAddress to = TeamsAddress.of(dispatch.to());
    ConversationReference known = ConversationReference.read(memory, to.chat());
    return to.isPerson() ? open(to.chat(), known) : post(dispatch, to, known);
  }

  private Outcome post(Dispatch dispatch, TeamsAddress to, ConversationReference known) {
    try {
      String conversation = TeamsAddress.conversation(to.chat(), TeamsRequest.thread(dispatch, to));
      String answered = TeamsRequest.answered(dispatch, to);
      String path =
          "/v3/conversations/"
              + TeamsAddress.encoded(conversation)
              + "/activities"
              + (answered == null ? "" : "/" + TeamsAddress.encoded(answered));
      Map<String, @Nullable Object> body = TeamsRequest.activity(dispatch, to, bot(known));
      TeamsVerdict.Asked asked =
          new TeamsVerdict.Asked(
              to.chat(),
              dispatch.message().replyToId() != null,
              dispatch.cargo().stream().anyMatch(file -> file.bytes() != null));
      Outcome outcome =
          api.post(known.serviceUrl(), path, body, answer -> verdict.of(answer, asked));
      return outcome instanceof Outcome.Delivered(Receipt receipt, _, _, _)
          ? taken(receipt.id(), to.chat(), dispatch.isLast())
          : explained(outcome, known);
    } catch (IOException e) {
      return new Outcome.NotSent("a file cannot be read: " + e.getMessage());
    }
  }

  /** Teams tells which message a person has read last: with it they have read those before. */
  private static Outcome taken(String number, String chat, boolean last) {
    String name = TeamsAddress.named(chat, number);
    return last && TeamsAddress.isPersonal(chat) ? Outcome.accepted(name) : Outcome.delivered(name);
  }

  private String bot(ConversationReference known) {
    return Objects.requireNonNullElse(known.bot(), "28:" + appId);
  }

  /** The outcome; if the chat is closed to us, with what came in about that. */
  private static Outcome explained(Outcome outcome, ConversationReference known) {
    return outcome instanceof Outcome.Rejected(Blame blame, String cause)
            && blame == Blame.TARGET
            && known.removedAt() != null
        ? new Outcome.Rejected(blame, cause + "; the bot was removed at " + known.removedAt())
        : outcome;
  }

  // ---- a person to whom nothing was written yet

  /**
   * Opens the conversation with a person, which from then on has their messages. There is one for
   * each person and bot: whoever asks twice gets the same, and nothing is shown to anybody.
   */
  private Outcome open(String person, ConversationReference known) {
    String where = known.tenant() == null ? tenant : known.tenant();
    if (where == null) {
      return new Outcome.Rejected(
          Blame.TARGET,
          "nothing has come in from this person, so their tenant is unknown: set tenantId, or let"
              + " them write first");
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("isGroup", false);
    body.put("bot", Map.of("id", bot(known)));
    body.put("members", List.of(Map.of("id", person)));
    body.put("tenantId", where);
    body.put("channelData", Map.of("tenant", Map.of("id", where)));
    Outcome outcome =
        api.post(
            known.serviceUrl(),
            "/v3/conversations",
            body,
            answer ->
                opened(
                    answer,
                    person,
                    new ConversationReference(known.serviceUrl(), where, known.bot(), null)));
    return outcome instanceof Outcome.Unknown(String cause) ? new Outcome.NotSent(cause) : outcome;
  }

  private Outcome opened(Response response, String person, ConversationReference reference) {
    JsonNode body = Json.readObject(response.body());
    String id = body == null ? null : Json.text(body, "id");
    if (response.status() / 100 == 2 && id != null) {
      try {
        memory.write(reference.of(id));
      } catch (NotSentException e) {
        return new Outcome.NotSent(String.valueOf(e.getMessage()));
      }
      return new Outcome.Repairable(
          new Fix.NewChat(id), "the conversation with this person is open now");
    }
    Outcome refusal = verdict.refusal(response, body, new TeamsVerdict.Asked(person, false, false));
    // There is nothing in the request but the person.
    return refusal instanceof Outcome.Rejected(_, String cause)
        ? new Outcome.Rejected(Blame.TARGET, cause)
        : refusal;
  }

  // ---- the account

  /** Gets a token: Entra ID knows the app, its secret and its tenant. */
  @Override
  public Probe probe() {
    return switch (api.tokens().get()) {
      case TokenSource.Result.Good _ ->
          new Probe.Healthy("app " + appId + (tenant == null ? "" : " of tenant " + tenant));
      case TokenSource.Result.Failed(Outcome outcome) -> Probe.of(outcome, "");
    };
  }

  @Override
  public void close() {
    api.close();
  }
}
