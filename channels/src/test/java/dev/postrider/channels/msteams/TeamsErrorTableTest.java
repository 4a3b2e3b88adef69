package dev.postrider.channels.msteams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every code that Microsoft lists for bots, and what is made of it. */
class TeamsErrorTableTest {
  private static final TeamsVerdict.Asked PLAIN = new TeamsVerdict.Asked("a:1", false, false);

  private final StillTime time = new StillTime();
  private final TeamsVerdict verdict =
      new TeamsVerdict(new PermanentErrors(List.of(Pattern.compile("quota used up"))), time);

  private Outcome error(int status, String code, TeamsVerdict.Asked asked) {
    return error(status, code, asked, Map.of());
  }

  private Outcome error(
      int status, String code, TeamsVerdict.Asked asked, Map<String, String> headers) {
    String body = Json.write(Map.of("error", Map.of("code", code, "message", "Oops")));
    return verdict.of(new Response(status, headers, body), asked);
  }

  @ParameterizedTest
  @CsvSource({
    "403, BotNotInConversationRoster, TARGET, installed again",
    "403, ConversationBlockedByUser, TARGET, blocked",
    "403, MessageWritesBlocked, TARGET, nobody may write",
    "403, ForbiddenOperationException, TARGET, install it first",
    "403, InvalidBotApiHost, TARGET, baseUrl",
    "403, NotEnoughPermissions, TARGET, Oops",
    "403, SomethingNew, TARGET, Oops",
    "404, ConversationNotFound, TARGET, never been in it",
    "404, SomethingNew, TARGET, Oops",
    "400, BadSyntax, MESSAGE, Oops",
    "400, BadArgument, MESSAGE, Oops",
    "400, Bad Argument, MESSAGE, Oops",
    "400, SomethingNew, MESSAGE, Oops",
    "403, ContentStreamNotAllowed, MESSAGE, Oops",
    "404, ActivityNotFoundInConversation, MESSAGE, thread is gone",
    "413, MessageSizeTooBig, MESSAGE, Oops",
    "418, SomethingNew, MESSAGE, Oops"
  })
  void a_refusal_says_whether_it_is_about_the_chat_or_the_message(
      int status, String code, Blame blame, String remedy) {
    assertThat(error(status, code, PLAIN))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> {
              assertThat(it.blame()).isEqualTo(blame);
              assertThat(it.cause()).startsWith(status + " " + code + " Oops").contains(remedy);
            });
  }

  @ParameterizedTest
  @CsvSource({
    "401, BotNotRegistered, Microsoft Teams",
    "403, BotDisabledByAdmin, Teams admin center",
    "401, Unauthorized, Oops"
  })
  void a_bot_that_is_refused_everywhere_breaks_the_account(int status, String code, String remedy) {
    assertThat(error(status, code, PLAIN))
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class, it -> assertThat(it.cause()).contains(remedy));
  }

  @ParameterizedTest
  @CsvSource({"408, Timeout", "500, ServiceError", "502, ServiceError", "504, GatewayTimeout"})
  void trouble_of_the_service_leaves_it_open(int status, String code) {
    assertThat(error(status, code, PLAIN)).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void an_unavailable_service_is_unreachable_if_it_says_for_how_long() {
    assertThat(error(503, "ServiceError", PLAIN)).isInstanceOf(Outcome.Unknown.class);
    assertThat(error(503, "Unavailable", PLAIN, Map.of("retry-after", "7")))
        .isInstanceOfSatisfying(
            Outcome.Unreachable.class,
            it -> assertThat(it.notBefore()).isEqualTo(Duration.ofSeconds(7)));
  }

  @Test
  void several_changes_of_a_conversation_at_once_hold_it_for_a_moment() {
    assertThat(error(412, "PreconditionFailed", PLAIN))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.CHAT, Duration.ofSeconds(2), "412 PreconditionFailed Oops"));
  }

  @Test
  void a_limit_holds_the_conversation_and_after_several_of_them_the_tenant() {
    Map<String, String> headers = Map.of("retry-after", "11");
    for (String chat : List.of("a:1", "a:2")) {
      assertThat(error(429, "Throttled", new TeamsVerdict.Asked(chat, false, false), headers))
          .isEqualTo(
              new Outcome.Throttled(
                  ThrottleScope.CHAT, Duration.ofSeconds(11), "429 Throttled Oops"));
    }
    assertThat(error(429, "Throttled", new TeamsVerdict.Asked("a:3", false, false), headers))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.ACCOUNT, Duration.ofSeconds(11), "429 Throttled Oops"));
  }

  @Test
  void an_answer_to_a_message_that_is_gone_goes_without_it() {
    assertThat(
            error(
                404, "ActivityNotFoundInConversation", new TeamsVerdict.Asked("a:1", true, false)))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.DropReply()));
  }

  @Test
  void pictures_that_make_it_too_large_go_as_links() {
    assertThat(error(413, "MessageSizeTooBig", new TeamsVerdict.Asked("a:1", false, true)))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.AsDocument()));
  }

  @Test
  void a_success_with_an_error_in_it_is_none() {
    assertThat(error(200, "ServiceError", PLAIN)).isInstanceOf(Outcome.Unknown.class);
    assertThat(error(200, "BotNotInConversationRoster", PLAIN))
        .isInstanceOf(Outcome.Rejected.class);
    assertThat(verdict.of(new Response(200, Map.of(), "{}"), PLAIN))
        .isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void what_the_configuration_calls_permanent_is() {
    String body = Json.write(Map.of("error", Map.of("code", "X", "message", "quota used up")));
    assertThat(verdict.of(new Response(500, Map.of(), body), PLAIN))
        .isInstanceOf(Outcome.Rejected.class);
  }

  // ---- a Workflows webhook

  private Outcome workflow(int status, String body) {
    dev.postrider.config.AccountConfig account =
        dev.postrider.config.AccountConfig.of("flow", "msteams")
            .set("webhookUrl", "https://flows.example/invoke?sig=secret");
    try (WorkflowLink link = new WorkflowLink(dev.postrider.channels.Settings.of(account), time)) {
      return link.outcome(new Response(status, Map.of(), body));
    }
  }

  @Test
  void a_workflow_only_ever_accepts() {
    assertThat(workflow(202, "")).isEqualTo(Outcome.accepted(""));
    assertThat(workflow(200, "")).isEqualTo(Outcome.delivered(""));
    assertThat(workflow(200, "1")).as("an Office 365 connector").isEqualTo(Outcome.delivered(""));
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403, 404, 410})
  void a_dead_address_breaks_the_account(int status) {
    assertThat(
            workflow(
                status,
                "{\"error\":{\"code\":\"WorkflowTriggerIsNotEnabled\",\"message\":\"Oops\"}}"))
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class, it -> assertThat(it.cause()).contains("copy it again"));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 413, 415})
  void a_card_that_a_workflow_does_not_take_is_rejected(int status) {
    assertThat(workflow(status, "{\"error\":{\"code\":\"InvalidRequestContent\"}}"))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.blame()).isEqualTo(Blame.MESSAGE));
  }

  @Test
  void what_connectors_say_with_200_is_believed_and_not_the_200() {
    String prefix =
        "Webhook message delivery failed with error: Microsoft Teams endpoint returned ";
    assertThat(workflow(200, prefix + "HTTP error 429 with ContextId x"))
        .isInstanceOf(Outcome.Throttled.class);
    assertThat(workflow(200, prefix + "HTTP error 413 with ContextId x"))
        .isInstanceOf(Outcome.Rejected.class);
    assertThat(workflow(200, prefix + "HTTP error 404 with ContextId x"))
        .isInstanceOf(Outcome.AccountBroken.class);
    assertThat(workflow(200, "Summary or Text is required.")).isInstanceOf(Outcome.Rejected.class);
    assertThat(workflow(200, "something else")).isInstanceOf(Outcome.Unknown.class);
  }
}
