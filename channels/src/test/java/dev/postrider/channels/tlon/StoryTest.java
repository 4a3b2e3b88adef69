package dev.postrider.channels.tlon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Media;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What becomes of text, and of time. */
class StoryTest {
  private static final TlonChannel CHANNEL = new TlonChannel();

  private static String story(Message.Builder builder) {
    Message message = builder.build();
    Plan plan =
        Planner.plan(
            new MessageId(UUID.fromString("01990000-0000-7000-8000-000000000001")),
            message,
            CHANNEL.capabilities(AccountConfig.of("ship", "tlon")),
            _ -> Optional.empty());
    List<PartFile> files =
        plan.parts().getFirst().media().stream()
            .map(file -> new PartFile(file, null, null))
            .toList();
    return Json.write(
        Story.of(new Dispatch(plan.origin(), message, plan, 0, PartState.PENDING, files)));
  }

  @Test
  void markdown_becomes_pieces_with_styles() {
    String story =
        story(
            Message.to("ship", "~zod")
                .text("**bold** and _it_, ~~gone~~ `x = 1`\nsee https://a.b/c."));
    assertThat(Json.readArray(story))
        .isEqualTo(
            Json.readArray(
                "[{\"inline\":[{\"bold\":[\"bold\"]},\" and \",{\"italics\":[\"it\"]},\", \","
                    + "{\"strike\":[\"gone\"]},\" \",{\"inline-code\":\"x = 1\"},{\"break\":null},"
                    + "\"see \",{\"link\":{\"href\":\"https://a.b/c\","
                    + "\"content\":\"https://a.b/c\"}},"
                    + "\".\"]}]"));
  }

  @Test
  void a_picture_is_a_block_before_the_text() {
    assertThat(
            story(
                Message.to("ship", "~zod")
                    .text("look")
                    .media(List.of(Media.at("https://a.b/c.png")))))
        .contains("\"block\":{\"image\":{")
        .contains("\"src\":\"https://a.b/c.png\"")
        .endsWith("{\"inline\":[\"look\"]}]");
  }

  @Test
  void what_others_say_is_read_as_text() {
    String story =
        "[{\"block\":{\"header\":{\"tag\":\"h1\",\"content\":[\"News\"]}}},"
            + "{\"block\":{\"code\":{\"code\":\"x\",\"lang\":\"\"}}},"
            + "{\"block\":{\"listing\":{\"list\":{\"type\":\"unordered\",\"contents\":[],"
            + "\"items\":[{\"item\":[\"one\"]},{\"item\":[{\"bold\":[\"two\"]}]}]}}}},"
            + "{\"inline\":[{\"blockquote\":[\"said\"]},{\"break\":null},{\"ship\":\"~zod\"},"
            + "{\"task\":{\"checked\":true,\"content\":[\"done\"]}},{\"new\":1}]},{\"odd\":1}]";
    assertThat(Story.text(Json.readArray(story)))
        .isEqualTo("News\nx\n- one\n- two\n> said\n~zoddone");
    assertThat(Story.text(Json.readArray("[]"))).isNull();
  }

  @Test
  void urbits_time_is_read_and_written() {
    BigInteger post = UrbitTime.parse("170.141.184.506.535.176.367.510.061.158.978.551.808");
    Instant said = Instant.ofEpochMilli(1701276293246L); // by its author, from Tlon's own fixtures
    assertThat(UrbitTime.instant(post)).isBetween(said.minusSeconds(60), said.plusSeconds(60));
    assertThat(UrbitTime.instant(UrbitTime.of(said))).isEqualTo(said);
    assertThat(UrbitTime.of(Instant.EPOCH)).hasToString("170141184475152167957503069145530368000");
    assertThat(UrbitTime.dotted(BigInteger.valueOf(1234567))).isEqualTo("1.234.567");
    assertThat(UrbitTime.dotted(BigInteger.valueOf(123))).isEqualTo("123");
    assertThat(UrbitTime.date(Instant.parse("2026-03-01T04:05:06.7Z")))
        .isEqualTo("~2026.3.1..04.05.06");
    assertThat(UrbitTime.parse("~zod/1")).isNull();
  }
}
