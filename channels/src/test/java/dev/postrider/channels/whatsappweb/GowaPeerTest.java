package dev.postrider.channels.whatsappweb;

import static dev.postrider.channels.whatsappweb.FakeBridge.ANN;
import static dev.postrider.channels.whatsappweb.FakeBridge.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.peers.PrismPeer;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.testkit.internal.peers.NpmPeer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole requests, headers too, against what Prism makes of GOWA's own description. */
@VerifiedAgainst(value = "Prism 5.16.0 with GOWA's API description", channels = "whatsapp-web")
class GowaPeerTest {
  private static NpmPeer prism;

  @BeforeAll
  static void start() throws Exception {
    prism = PrismPeer.start("gowa/openapi.json");
  }

  @AfterAll
  static void stop() throws Exception {
    if (prism != null) {
      prism.close();
    }
  }

  private final TestAccount account = TestAccount.of(config());

  private static AccountConfig config() {
    return AccountConfig.of("wa", "whatsapp-web")
        .set("bridge", "gowa")
        .set("username", "postrider")
        .set("password", "secret-1")
        .set("deviceId", "org_2")
        .set("settle", "0s")
        .set("baseUrl", prism.baseUrl());
  }

  @Test
  void what_is_written_is_what_gowa_describes() throws Exception {
    try (Link link = new WhatsAppWebChannel().open(account)) {
      Message.Builder message =
          Message.to("wa", GROUP)
              .text("hello")
              .replyToId("3EB089B9D6ADD58153C561")
              .channelData(Map.of("mentions", List.of("628123456789"), "duration", 86_400));
      assertThat(link.send(account.part(message))).isInstanceOf(Outcome.Delivered.class);
      assertThat(link.send(account.part(ANN, "known by GOWA's example of a history")))
          .isInstanceOf(Outcome.Delivered.class);
    }
  }

  @ParameterizedTest
  @EnumSource(MediaKind.class)
  void files_are_forms_as_gowa_describes_them(MediaKind kind) throws Exception {
    Attachment file = new Attachment("file:x", kind, "x.bin", "image/png", 3, false, false);
    PartFile cargo = new PartFile(file, null, new WhatsAppWebFaultsTest.Held(new byte[] {1, 2, 3}));
    try (Link link = new WhatsAppWebChannel().open(account)) {
      assertThat(link.send(account.part(GROUP, "look").carrying(List.of(cargo))))
          .isInstanceOf(Outcome.Delivered.class);
    }
  }

  @Test
  void questions_are_as_gowa_describes_them() throws Exception {
    try (Link link = new WhatsAppWebChannel().open(account);
        GowaBridge bridge =
            (GowaBridge) WhatsAppWebChannel.bridge(account.config(), account.scheduler())) {
      assertThat(link.probe()).isNotInstanceOf(Probe.Broken.class);
      assertThat(bridge.check(ANN)).isInstanceOf(Bridge.Answer.Said.class);
      assertThat(bridge.sentSince(ANN, account.scheduler().instant())).isNotNull();
      assertThat(bridge.recent(50)).isNotEmpty();
      assertThat(bridge.said(ANN, account.scheduler().instant(), 100)).isNotEmpty();
      assertThat(bridge.login(new LoginRequest("628912344551")))
          .isNotInstanceOf(LoginState.Failed.class);
    }
  }

  @Test
  void who_shows_no_password_is_refused() throws Exception {
    TestAccount stranger =
        TestAccount.of(
            AccountConfig.of("wa", "whatsapp-web")
                .set("bridge", "gowa")
                .set("baseUrl", prism.baseUrl()));
    try (Link link = new WhatsAppWebChannel().open(stranger)) {
      assertThat(link.send(stranger.part(GROUP, "x"))).isInstanceOf(Outcome.AccountBroken.class);
    }
  }
}
