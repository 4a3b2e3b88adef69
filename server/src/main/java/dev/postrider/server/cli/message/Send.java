package dev.postrider.server.cli.message;

import dev.postrider.config.Durations;
import dev.postrider.server.cli.terminal.Choices;
import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.InputFile;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.cli.terminal.Values;
import dev.postrider.server.cli.terminal.When;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code postrider send}: hands a message in. */
@Command(
    name = "send",
    description = {
      "Sends a message.",
      "Without --wait it returns as soon as the message is stored; with it, it tells how the"
          + " message ended, or what it still waits for."
    },
    footer = "  postrider send --account sandbox --to ann --text 'Hello Ann' --wait 5s")
public final class Send implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--account", description = "The account to send on.")
  private @Nullable String account;

  @Option(names = "--to", paramLabel = "CHAT", description = "The chat.")
  private @Nullable String to;

  @Option(
      names = "--turn",
      paramLabel = "ID",
      description = "The inbound message to answer; then --account and --to may be left out.")
  private @Nullable String turn;

  @Option(
      names = "--lease",
      paramLabel = "ID",
      description = "With --turn: refuse the message if this lease is not the turn's any more.")
  private @Nullable String lease;

  @Option(names = "--text", description = "What to say; '-' reads it from standard input.")
  private @Nullable String text;

  @Option(
      names = "--media",
      paramLabel = "URL_OR_FILE",
      description = "A file to attach, by address or from here; may be repeated.")
  private List<String> media = List.of();

  @Option(names = "--as-document", description = "Attach everything as files to save.")
  private boolean asDocument;

  @Option(names = "--loop", description = "Play videos as GIFs, where the platform can.")
  private boolean loop;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      completionCandidates = Choices.Format.class,
      description = "How the text is written: markdown (the default), plain or native.")
  private @Nullable String format;

  @Option(names = "--thread", paramLabel = "ID", description = "The thread of the chat.")
  private @Nullable String thread;

  @Option(names = "--reply-to", paramLabel = "ID", description = "The message to quote.")
  private @Nullable String replyTo;

  @Option(names = "--silent", description = "Without a sound at the other end.")
  private boolean silent;

  @Option(
      names = "--send-at",
      paramLabel = "WHEN",
      description = "Not before: 2026-11-20T09:00:00Z, or in 10m.")
  private @Nullable When sendAt;

  @Option(
      names = "--expires-in",
      paramLabel = "DURATION",
      description = "Give up if it is not delivered by then, such as 30m.")
  private @Nullable Duration expiresIn;

  @Option(
      names = "--priority",
      completionCandidates = Choices.Priority.class,
      description = "live (the default), or bulk: after all live messages of the account.")
  private @Nullable String priority;

  @Option(names = "--max-attempts", paramLabel = "N", description = "Most attempts.")
  private @Nullable Integer maxAttempts;

  @Option(names = "--best-effort", description = "One attempt; nothing is tried again.")
  private boolean bestEffort;

  @Option(
      names = "--on-unknown",
      paramLabel = "POLICY",
      completionCandidates = Choices.OnUnknown.class,
      description = "If nobody knows whether it arrived: resend, or hold.")
  private @Nullable String onUnknown;

  @Option(names = "--session", paramLabel = "ID", description = "The session it belongs to.")
  private @Nullable String session;

  @Option(
      names = "--metadata",
      paramLabel = "KEY=VALUE",
      description = "Something of your own to find it by; may be repeated.")
  private Map<String, String> metadata = new LinkedHashMap<>();

  @Option(
      names = "--dry-run",
      description = "Show the parts the message would become, and send nothing.")
  private boolean dryRun;

  @Option(names = "--key", description = "An idempotency key: the same one is accepted once.")
  private @Nullable String key;

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      description = "Wait so long for its end, such as 10s.")
  private @Nullable Duration wait;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private Remote remote;

  Send(Terminal terminal) {
    this.terminal = terminal;
    this.remote = new Remote(terminal);
  }

  @Override
  public Integer call() {
    if (turn == null && (account == null || to == null) && spec != null) {
      throw new ParameterException(
          spec.commandLine(), "Say where to: --account and --to, or --turn.");
    }
    media.stream().filter(given -> !isAddress(given)).map(Path::of).forEach(Send::check);
    Client client = remote.client();
    Object message = message(client).body();
    if (dryRun) {
      return remote.post(Client.path("messages", "preview"), message, Send::show);
    }
    JsonNode sent =
        client.post(Client.path("messages") + Values.of("wait", text(wait)).query(), message);
    remote.print(sent, this::tell);
    return switch (Table.text(sent, "status")) {
      case "failed", "expired", "held", "cancelled" -> Failure.FAILED;
      default -> 0;
    };
  }

  private Values message(Client client) {
    return Values.of("account", account)
        .and("to", to)
        .and("text", "-".equals(text) ? read() : text)
        .and("format", format)
        .and("media", media.stream().map(each -> attached(each, client).body()).toList())
        .and("threadId", thread)
        .and("replyToId", replyTo)
        .and("silent", silent)
        .and("sendAt", sendAt == null ? null : sendAt.ahead(Instant.now()).toString())
        .and("expiresIn", text(expiresIn))
        .and("priority", priority)
        .and("maxAttempts", maxAttempts)
        .and("bestEffort", bestEffort ? true : null)
        .and("onUnknown", onUnknown)
        .and("sessionId", session)
        .and("metadata", metadata.isEmpty() ? null : metadata)
        .and("idempotencyKey", key)
        .and("turnId", turn)
        .and("leaseId", lease);
  }

  private static @Nullable String text(@Nullable Duration duration) {
    return duration == null ? null : Durations.format(duration);
  }

  private static void check(Path file) {
    if (!Files.isRegularFile(file)) {
      throw Failure.usage("'" + file + "' is neither a file nor a URL.");
    }
    InputFile.checked(file);
  }

  private static boolean isAddress(String given) {
    return given.contains("://") || given.startsWith("data:");
  }

  /** A file of ours is brought to the server first; what has an address stays where it is. */
  private Values attached(String given, Client client) {
    Values item = Values.of("asDocument", asDocument).and("loop", loop);
    if (isAddress(given)) {
      return item.and("url", given);
    }
    Path file = Path.of(given);
    return item.and("id", Table.text(client.upload(file), "id"))
        .and("filename", String.valueOf(file.getFileName()));
  }

  private String read() {
    try {
      return new String(terminal.in().readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The parts one below the other, as they would go out. */
  private static void show(PrintWriter out, JsonNode preview) {
    int count = preview.path("parts").size();
    for (JsonNode part : preview.path("parts")) {
      StringBuilder head = new StringBuilder("--- part ");
      head.append(part.path("index").asInt() + 1).append(" of ").append(count);
      if (part.has("limit")) {
        head.append(
            ", %d of %d %s"
                .formatted(
                    part.path("size").asInt(),
                    part.path("limit").asInt(),
                    Table.text(part, "unit")));
      }
      out.println(head);
      for (JsonNode file : part.path("media")) {
        String name = Table.text(file, "filename");
        String shown = Table.plain(name.isEmpty() ? Table.text(file, "url") : name);
        out.println("[%s] %s".formatted(Table.text(file, "kind"), shown));
      }
      if (part.path("text").isString()) {
        out.println(part.path("text").asString());
      }
    }
  }

  private void tell(PrintWriter out, JsonNode sent) {
    String waits = WaitingText.of(sent);
    boolean going = List.of("queued", "sending").contains(Table.text(sent, "status"));
    String status = (going && wait != null ? "still " : "") + Table.text(sent, "status");
    String error = Table.plain(Table.text(sent, "error"));
    boolean unanswered = waits.isEmpty() && Table.text(sent, "status").equals("sending");
    String why = unanswered ? "the platform's answer is awaited" : waits.isEmpty() ? error : waits;
    out.println(Table.text(sent, "id") + " " + status + (why.isEmpty() ? "" : ": " + why));
  }
}
