package dev.postrider.channels.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.postrider.channel.Dialect.Written;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.TextLimit.Unit;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.text.reading.Platform;
import dev.postrider.message.Format;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Parts put into the smallest body that carries them, against the vendors' own contracts. */
class VendorContractTest {

  /**
   * @param refused a body that the contract must not let through, so that it is known to look
   */
  private record Contract(
      Platform platform,
      String schema,
      TextLimit limit,
      Function<Written, Map<String, Object>> body,
      Map<String, Object> refused) {
    @Override
    public String toString() {
      return platform + " " + schema;
    }
  }

  static Stream<Contract> contracts() {
    return Stream.of(
        new Contract(
            Platform.TELEGRAM,
            "/specs/telegram/sendMessage",
            TextLimit.ofVisible(500, Unit.UTF16),
            part ->
                part.plain() == null
                    ? Map.of("chat_id", 1, "text", part.text())
                    : Map.of("chat_id", 1, "text", part.text(), "parse_mode", "HTML"),
            Map.of("chat_id", 1, "text", "x".repeat(4097))),
        new Contract(
            Platform.DISCORD,
            "/specs/discord/MessageCreateRequest",
            TextLimit.of(2000, Unit.UTF16),
            part -> Map.of("content", part.text(), "allowed_mentions", Map.of("parse", List.of())),
            Map.of("content", "x".repeat(4001))),
        new Contract(
            Platform.PLAIN,
            "/specs/line/TextMessage",
            TextLimit.of(5000, Unit.UTF16),
            part -> Map.of("type", "text", "text", part.text()),
            Map.of("type", "text")),
        new Contract(
            Platform.WHATSAPP,
            "/specs/whatsapp/TextMessage",
            TextLimit.of(4096, Unit.UTF16),
            part ->
                Map.of(
                    "messaging_product", "whatsapp",
                    "recipient_type", "individual",
                    "to", "49123",
                    "type", "text",
                    "text", Map.of("body", part.text())),
            Map.of("messaging_product", "whatsapp", "to", "49123", "type", "text", "text", "x")),
        new Contract(
            Platform.MATRIX,
            "/specs/matrix/send",
            TextLimit.ofVisible(4000, Unit.UTF16),
            part ->
                part.plain() == null
                    ? Map.of("msgtype", "m.text", "body", part.text())
                    : Map.of(
                        "msgtype",
                        "m.text",
                        "body",
                        part.plain(),
                        "format",
                        "org.matrix.custom.html",
                        "formatted_body",
                        part.text()),
            Map.of()),
        new Contract(
            Platform.GOOGLE_CHAT,
            "/specs/googlechat/Message",
            TextLimit.of(32_000, Unit.UTF8_BYTES),
            part -> Map.of("text", part.text()),
            Map.of("text", List.of("x"))),
        new Contract(
            Platform.TEAMS,
            "/specs/msteams/Activity",
            TextLimit.of(14_000, Unit.UTF16),
            part -> Map.of("type", "message", "textFormat", "markdown", "text", part.text()),
            Map.of("type", "message", "text", 1)),
        new Contract(
            Platform.SIGNAL,
            "/specs/signal/SendMessageV2",
            TextLimit.of(4000, Unit.UTF16),
            part ->
                Map.of(
                    "number",
                    "+49123",
                    "recipients",
                    List.of("+49124"),
                    "message",
                    part.text(),
                    "text_mode",
                    "normal"),
            Map.of(
                "number", "+49123",
                "recipients", List.of("+49124"),
                "message", "x",
                "text_mode", "bold")));
  }

  @ParameterizedTest
  @MethodSource("contracts")
  void every_part_makes_a_body_the_vendor_takes(Contract contract) throws IOException {
    Schema schema = read(contract.schema());
    for (long seed = 0; seed < 40; seed++) {
      List<Written> parts =
          contract
              .platform()
              .dialect()
              .write(Documents.any(seed), Format.MARKDOWN, contract.limit());
      for (Written part : parts) {
        String body = Json.write(contract.body().apply(part));
        assertThat(schema.validate(body, InputFormat.JSON)).as(body).isEmpty();
      }
    }
  }

  /** Matrix says of the content of an event only that it is an object. */
  @ParameterizedTest
  @MethodSource("contracts")
  void the_contract_refuses_what_the_vendor_would(Contract contract) throws IOException {
    String body =
        contract.platform() == Platform.MATRIX ? "\"hello\"" : Json.write(contract.refused());
    assertThat(read(contract.schema()).validate(body, InputFormat.JSON)).isNotEmpty();
  }

  private static Schema read(String name) throws IOException {
    try (InputStream file = VendorContractTest.class.getResourceAsStream(name + ".schema.json")) {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(Objects.requireNonNull(file));
    }
  }
}
