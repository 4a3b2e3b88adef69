package dev.postrider.channels.msteams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Network;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TeamsInboundFilesTest {
  private final FakeTeams teams = new FakeTeams();
  private final FakePlatform sharePoint = FakePlatform.start();
  private final InboundFiles files =
      Objects.requireNonNull(
          new TeamsChannel()
              .inboundFiles(
                  teams.account(),
                  new MediaSettings(
                      MediaSettings.DEFAULTS.largest(),
                      MediaSettings.DEFAULTS.keepUnused(),
                      Duration.ofSeconds(10),
                      MediaSettings.DEFAULTS.maxRedirects(),
                      List.of(Network.parse("127.0.0.0/8")))));

  @AfterEach
  void stop() {
    teams.close();
    sharePoint.close();
  }

  private String read(String url) throws IOException {
    InboundMessage message =
        new InboundMessage(
            "1",
            InboundMessage.Kind.MESSAGE,
            "a:ann",
            InboundMessage.ChatKind.DM,
            new InboundMessage.Sender("29:ann", null),
            null,
            List.of(new InboundMessage.File("image", null, url, null, null, null)),
            null,
            null,
            null,
            null,
            Map.of());
    try (InboundFiles.Opened file = files.open(message, 0)) {
      return new String(file.bytes().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void a_picture_is_fetched_from_the_connector_with_the_bots_token() throws Exception {
    Reply picture = Reply.text(200, "image/png", "bytes");
    teams.connector.answer(picture, picture);
    String url = teams.connector.baseUrl() + "/v3/attachments/1/views/original";
    assertThat(read(url)).isEqualTo("bytes");
    assertThat(read(url)).isEqualTo("bytes");
    assertThat(teams.posts())
        .allSatisfy(
            asked -> assertThat(asked.headers().get("authorization")).isEqualTo("Bearer token-1"));
    assertThat(teams.login.requests()).as("tokens").hasSize(1);
  }

  @Test
  void a_file_elsewhere_is_fetched_without_a_token() throws Exception {
    sharePoint.answer(Reply.text(200, "application/pdf", "bytes"));
    assertThat(read(sharePoint.baseUrl() + "/plan.pdf?tempauth=1")).isEqualTo("bytes");
    assertThat(sharePoint.onlyRequest().headers()).doesNotContainKey("authorization");
    assertThat(teams.login.requests()).isEmpty();
  }

  @Test
  void a_token_that_is_refused_is_not_shown_again() throws Exception {
    teams.connector.answer(
        FakeTeams.error(401, "Unauthorized", "no: token-1"), Reply.text(200, "image/png", "bytes"));
    String url = teams.connector.baseUrl() + "/v3/attachments/1/views/original";
    assertThatThrownBy(() -> read(url))
        .isInstanceOfSatisfying(
            Unavailable.class, e -> assertThat(e.why()).isEqualTo(Unavailable.Why.REFUSED))
        .hasMessageNotContaining("token-1");
    assertThat(read(url)).isEqualTo("bytes");
    assertThat(teams.posts().getLast().headers().get("authorization")).isEqualTo("Bearer token-2");
  }

  @Test
  void without_a_token_there_is_no_picture() {
    teams.login.answer(
        Reply.json(
            401,
            "{\"error\":\"invalid_client\",\"error_description\":\"AADSTS7000222: expired\"}"));
    assertThatThrownBy(() -> read(teams.connector.baseUrl() + "/v3/attachments/1"))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("has expired");
    assertThat(teams.posts()).isEmpty();
  }
}
