package dev.postrider.server.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code postrider send}: hands a message in. */
@Command(name = "send", description = "Sends a message.", mixinStandardHelpOptions = true)
final class Send implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--account", required = true, description = "The account to send on.")
  private String account = "";

  @Option(names = "--to", required = true, paramLabel = "CHAT", description = "The chat.")
  private String to = "";

  @Option(names = "--text", description = "What to say; '-' reads it from standard input.")
  private @Nullable String text;

  @Option(
      names = "--media",
      paramLabel = "URL",
      description = "Something to attach; may be repeated.")
  private List<String> media = List.of();

  @Option(names = "--key", description = "An idempotency key: the same one is accepted once.")
  private @Nullable String key;

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      description = "Wait so long for its end, such as 10s.")
  private @Nullable String wait;

  @Mixin private Remote remote;

  Send(Terminal terminal) {
    this.terminal = terminal;
    this.remote = new Remote(terminal);
  }

  @Override
  public Integer call() {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("account", account);
    message.put("to", to);
    if (text != null) {
      message.put("text", text.equals("-") ? read() : text);
    }
    if (!media.isEmpty()) {
      message.put("media", media.stream().map(each -> Map.of("url", address(each))).toList());
    }
    if (key != null) {
      message.put("idempotencyKey", key);
    }
    Map<String, @Nullable Object> query = new LinkedHashMap<>();
    query.put("wait", wait);
    JsonNode sent = remote.client().post("/v1/messages" + Client.query(query), message);
    remote.print(sent, this::tell);
    return switch (Table.text(sent, "status")) {
      case "failed", "expired", "held", "cancelled" -> Failure.FAILED;
      default -> 0;
    };
  }

  private String read() {
    try {
      return new String(terminal.in().readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String address(String media) {
    if (media.contains("://")) {
      return media;
    }
    throw Failure.because("'" + media + "' is not a URL; local files cannot be attached yet.");
  }

  private void tell(JsonNode sent) {
    String error = Table.text(sent, "error");
    terminal
        .out()
        .println(
            "%s %s%s"
                .formatted(
                    Table.text(sent, "id"),
                    Table.text(sent, "status"),
                    error.isEmpty() ? "" : ": " + Table.plain(error)));
  }
}
