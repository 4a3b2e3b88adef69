package dev.postrider.channels.signal;

import static dev.postrider.channels.signal.FakeSignalCli.ANN;
import static dev.postrider.channels.signal.FakeSignalCli.NUMBER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channels.CountedFile;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.testkit.platform.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class SignalLinkTest {
  private final FakeSignalCli signal = new FakeSignalCli();
  private TestAccount account = TestAccount.of(signal.account());

  @TempDir Path folder;

  @AfterEach
  void end() {
    signal.close();
  }

  private Link link() {
    return new SignalChannel().open(account);
  }

  private Outcome send() throws Exception {
    try (Link link = link()) {
      return link.send(account.part(ANN, "hello"));
    }
  }

  @Test
  void a_message_is_known_by_its_timestamp() throws Exception {
    assertThat(send()).isEqualTo(Outcome.delivered("1700000000000"));

    assertThat(signal.asked("send"))
        .isEqualTo(Json.tree(Map.of("account", NUMBER, "recipient", ANN, "message", "hello")));
    assertThat(signal.platform.requests().getLast().headers().get("content-type"))
        .startsWith("application/json");
  }

  @Test
  void an_unexpected_host_name_is_told_with_the_remedy() throws Exception {
    signal.platform.answer(Reply.text(421, "text/plain", ""));
    assertThat(send())
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class, it -> assertThat(it.cause()).contains("localhost"));
  }

  @Test
  void something_else_at_the_address_breaks_the_account() throws Exception {
    signal.platform.answer(Reply.html(404, "<h1>nginx</h1>"));
    assertThat(send()).isInstanceOf(Outcome.AccountBroken.class);
  }

  private static PartFile file(String name, long size) {
    return new PartFile(
        new Attachment("media:x", MediaKind.DOCUMENT, name, "text/plain", size, false, false),
        null,
        new PartFile.Bytes() {
          @Override
          public long size() {
            return size;
          }

          @Override
          public InputStream open() {
            return new ByteArrayInputStream(new byte[(int) size]);
          }
        });
  }

  @Test
  void a_small_file_goes_inside_and_a_large_one_through_the_folder_which_is_empty_afterwards()
      throws Exception {
    account = TestAccount.of(signal.account().set("filesFolder", folder.toString()));
    long large = SignalFiles.INSIDE + 1;
    signal.answers.put(
        "send",
        params -> {
          Path stored = Path.of(params.path("attachments").path(1).asString());
          assertThat(stored).hasSize(large).hasFileName("b_.txt").startsWith(folder);
          return FakeSignalCli.sent("SUCCESS");
        });

    try (Link link = link()) {
      assertThat(
              link.send(
                  account
                      .part(ANN, "two files")
                      .carrying(List.of(file("a b;.txt", 3), file("b/.txt", large)))))
          .isEqualTo(Outcome.delivered("1700000000000"));
    }

    assertThat(signal.asked("send").path("attachments").path(0).asString())
        .isEqualTo("data:text/plain;filename=a+b%3B.txt;base64,AAAA");
    assertThat(left()).isEmpty();
  }

  @Test
  void a_file_that_many_get_is_read_once() throws Exception {
    CountedFile file = new CountedFile("abc");
    try (Link link = link()) {
      for (int chat = 0; chat < 10; chat++) {
        assertThat(link.send(account.part(ANN, "x").carrying(List.of(file.inCustody()))))
            .isInstanceOf(Outcome.Delivered.class);
        assertThat(signal.asked("send").path("attachments").path(0).asString())
            .isEqualTo("data:text/plain;filename=x.txt;base64,YWJj");
      }
    }
    assertThat(file.reads()).hasValue(1);
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void a_folder_that_is_not_there_is_said_and_nothing_sent() throws Exception {
    account = TestAccount.of(signal.account().set("filesFolder", folder + "/none"));
    try (Link link = link()) {
      assertThat(
              link.send(
                  account.part(ANN, "x").carrying(List.of(file("b", SignalFiles.INSIDE + 1)))))
          .isInstanceOf(Outcome.NotSent.class);
    }
    assertThat(signal.platform.requests()).isEmpty();
  }

  @Test
  void the_probe_says_who_we_are() throws Exception {
    try (Link link = link()) {
      assertThat(link.probe()).isEqualTo(new Probe.Healthy(NUMBER));
    }
  }

  @Test
  void the_probe_of_a_signal_cli_for_one_account_takes_that_it_runs_for_an_answer()
      throws Exception {
    signal.answers.remove("listAccounts");
    try (Link link = link()) {
      assertThat(link.probe()).isEqualTo(new Probe.Healthy(NUMBER));
    }
  }

  @Test
  void a_number_that_signal_cli_does_not_have_is_told_with_those_it_has() throws Exception {
    signal.answers.put("listAccounts", _ -> "\"result\":[{\"number\":\"+15550001\"}]");
    try (Link link = link()) {
      assertThat(link.probe())
          .isEqualTo(
              new Probe.Broken(
                  "signal-cli does not have +4915112345678, but +15550001; register or link it, or"
                      + " correct number"));
    }
  }

  /** Signal wants a captcha from now on. */
  private void challenge(@Nullable String token) {
    JsonNode response =
        Json.tree(
            Map.of(
                "timestamp",
                17,
                "results",
                List.of(
                    Map.of(
                        "type",
                        "RATE_LIMIT_FAILURE",
                        "retryAfterSeconds",
                        86400,
                        "token",
                        token))));
    signal.answers.put(
        "send",
        _ ->
            FakeSignalCli.refusal(
                -5,
                "Failed to send message due to rate limiting",
                Map.of("response", Json.map(response))));
  }

  @Test
  void a_captcha_is_brought_to_signal_once_it_is_configured_and_then_forgotten() throws Exception {
    challenge("3f-token");
    assertThat(send()).isInstanceOf(Outcome.AccountBroken.class);
    signal.answers.put("submitRateLimitChallenge", _ -> "\"result\":{}");
    account =
        new TestAccount(
            signal.account().set("captcha", "signalcaptcha://solved"),
            account.scheduler(),
            account.readiness(),
            account.memory());

    try (Link link = link()) {
      assertThat(link.probe()).isEqualTo(new Probe.Healthy(NUMBER));
      assertThat(signal.asked("submitRateLimitChallenge"))
          .isEqualTo(
              Json.tree(
                  Map.of(
                      "account",
                      NUMBER,
                      "challenge",
                      "3f-token",
                      "captcha",
                      "signalcaptcha://solved")));
      signal.answers.put("submitRateLimitChallenge", _ -> FakeSignalCli.refusal(-6, "no", null));
      assertThat(link.probe()).as("it is not brought twice").isEqualTo(new Probe.Healthy(NUMBER));
    }
  }

  @Test
  void the_account_stays_broken_until_a_send_shows_that_somebody_has_solved_the_captcha()
      throws Exception {
    challenge("3f-token");
    try (Link link = link()) {
      assertThat(link.send(account.part(ANN, "hello"))).isInstanceOf(Outcome.AccountBroken.class);
      assertThat(link.probe())
          .isInstanceOfSatisfying(
              Probe.Broken.class, it -> assertThat(it.cause()).contains("3f-token"));

      signal.answers.put("send", _ -> FakeSignalCli.sent("SUCCESS")); // resumed by a person
      assertThat(link.send(account.part(ANN, "hello")))
          .isInstanceOfSatisfying(
              Outcome.Delivered.class,
              it -> {
                assertThat(it.memory()).hasSize(1);
                account.memory().write(it.memory());
              });
      assertThat(link.probe()).isEqualTo(new Probe.Healthy(NUMBER));
    }
  }

  @Test
  void a_captcha_that_signal_refuses_keeps_the_account_broken() throws Exception {
    challenge("3f-token");
    send();
    signal.answers.put(
        "submitRateLimitChallenge", _ -> FakeSignalCli.refusal(-6, "Captcha rejected", null));
    account =
        new TestAccount(
            signal.account().set("captcha", "signalcaptcha://stale"),
            account.scheduler(),
            account.readiness(),
            account.memory());
    try (Link link = link()) {
      assertThat(link.probe())
          .isInstanceOfSatisfying(
              Probe.Broken.class,
              it ->
                  assertThat(it.cause())
                      .contains("Captcha rejected")
                      .contains("3f-token")
                      .doesNotContain("stale"));
    }
  }

  private static void refused(AccountConfig config, String why) {
    assertThatThrownBy(() -> new SignalChannel().checkAccount(config))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @Test
  void an_account_says_in_exactly_one_way_where_signal_cli_is() {
    AccountConfig none = AccountConfig.of("sig", "signal").set("number", NUMBER);
    refused(none, "give one of baseUrl");
    refused(
        none.set("baseUrl", "http://127.0.0.1:8080").set("socket", "127.0.0.1:7583"),
        "baseUrl and socket are both given");
    refused(none.set("socket", "/run/s").set("command", List.of("x")), "socket and command");
    refused(none.set("socket", "somewhere"), "neither HOST:PORT nor a path");
    refused(none.set("socket", "/run/s").set("number", "0151"), "country code");
    new SignalChannel().checkAccount(none.set("command", List.of("signal-cli", "jsonRpc")));
    new SignalChannel().checkAccount(none.set("socket", "/run/signal-cli/socket"));
    new SignalChannel().checkAccount(none.set("socket", "localhost:7583"));
  }
}
