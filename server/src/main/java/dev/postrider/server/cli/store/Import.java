package dev.postrider.server.cli.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.config.PostriderConfig;
import dev.postrider.message.Media;
import dev.postrider.server.cli.terminal.ConfigOptions;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.InputFile;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.config.ConfigLoader;
import dev.postrider.server.log.Logging;
import dev.postrider.store.Store;
import dev.postrider.store.StoreExport;
import dev.postrider.store.StoreExport.Kind;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.SystemScheduler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code postrider import}: what was elsewhere comes into the store. */
@Command(
    name = "import",
    description = "Takes over what was elsewhere.",
    subcommands = ImportOpenclaw.class,
    footer = "  postrider import jsonl backup.jsonl")
public final class Import {
  private static final Map<String, Kind> KINDS =
      Arrays.stream(Kind.values()).collect(Collectors.toMap(Kind::label, Function.identity()));

  private final Terminal terminal;

  Import(Terminal terminal) {
    this.terminal = terminal;
  }

  @Command(
      description = {
        "Adds to the store what 'postrider export' wrote, and leaves the rest as it is.",
        "Stop the servers first. It can be repeated."
      },
      footer = "  postrider import jsonl backup.jsonl --config postrider.yaml")
  int jsonl(@Parameters(paramLabel = "FILE") Path file, @Mixin ConfigOptions options)
      throws IOException {
    InputFile.checked(file);
    Logging.quiet();
    PostriderConfig config =
        options.load(ConfigLoader.forChannelsOnClassPath(terminal.environment())).postrider();
    try (SystemScheduler time = new SystemScheduler();
        Store store =
            Stores.open(config.store(), "store", "import", config.encryptionKeys(), time);
        BufferedReader lines = Files.newBufferedReader(file, UTF_8)) {
      return new Reading(store, lines).read();
    } catch (StoreUnavailable | StoreRefused e) {
      throw Failure.because("It stopped: " + e.getMessage() + ". It can be repeated.");
    }
  }

  /** One file, line by line. */
  private final class Reading {
    private final Store store;
    private final BufferedReader lines;
    private final LineBatch batch;
    private final JsonMapper json = new JsonMapper();
    private String line = "";
    private JsonNode fields = json.createObjectNode();
    private long number;
    private long files;
    private boolean whole = true;

    Reading(Store store, BufferedReader lines) {
      this.store = store;
      this.lines = lines;
      this.batch = new LineBatch(Stores.export(store, "store"), _ -> {});
    }

    int read() throws IOException {
      if (!"export".equals(next())) {
        throw wrong("it does not begin as an export does");
      }
      if (fields.path("version").asInt() > StoreExport.VERSION) {
        throw wrong("a newer version of Postrider wrote it");
      }
      String kind = next();
      while (!kind.equals("end")) {
        @Nullable Kind known = KINDS.get(kind);
        if (known == null) {
          throw wrong(kind.isEmpty() ? "the export is not whole" : "unknown kind '" + kind + "'");
        }
        if (known == Kind.FILE) {
          kind = file();
        } else {
          batch.add(known, line);
          kind = next();
        }
      }
      batch.flush();
      if (fields.path("lines").asLong() != number - 1) {
        throw wrong("lines are missing");
      }
      terminal.out().println("%,d lines and %,d files added.".formatted(batch.added(), files));
      return whole ? 0 : Failure.FAILED;
    }

    /** The kind of the next line; empty at the end. */
    private String next() throws IOException {
      @Nullable String read = lines.readLine();
      number++;
      line = read == null ? "" : read;
      try {
        fields = json.readTree(line);
      } catch (JacksonException e) {
        throw wrong("it is not JSON");
      }
      return fields.path("kind").asString("");
    }

    private Failure wrong(String why) {
      return Failure.because("Line " + number + ": " + why + ".");
    }

    /** Takes a file with the bytes that follow; gives the kind of the line behind them. */
    private String file() throws IOException {
      JsonNode file = fields;
      String hash = file.path("hash").asString("");
      FileBytes bytes = new FileBytes();
      long size = file.path("size").asLong();
      if (!bytes.kind.equals("bytes") && size > 0) {
        whole = false;
        terminal.err().println(Media.held(hash).url() + " is missing: its bytes are not there.");
      } else if (store.blobs().find(hash).isEmpty()) {
        Instant keepUntil = Instant.parse(file.path("keepUntil").asString(""));
        String type = file.path("type").asString("");
        if (!store.blobs().take(bytes, type, size, keepUntil).hash().equals(hash)) {
          throw wrong("the bytes before it are not those of " + Media.held(hash).url());
        }
        files++;
      }
      bytes.transferTo(java.io.OutputStream.nullOutputStream());
      return bytes.kind;
    }

    /** The bytes in the lines at hand. */
    private final class FileBytes extends InputStream {
      private byte[] chunk = {};
      private int at;
      private String kind = next();

      FileBytes() throws IOException {}

      @Override
      public int read() throws IOException {
        while (at == chunk.length && kind.equals("bytes")) {
          chunk = Base64.getDecoder().decode(fields.path("base64").asString(""));
          at = 0;
          kind = next();
        }
        return at == chunk.length ? -1 : chunk[at++] & 0xff;
      }
    }
  }
}
