package dev.postrider.server.cli.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.config.PostriderConfig;
import dev.postrider.message.Media;
import dev.postrider.server.cli.terminal.ConfigOptions;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.config.ConfigLoader;
import dev.postrider.server.log.Logging;
import dev.postrider.store.Store;
import dev.postrider.store.StoreExport;
import dev.postrider.store.StoreExport.Kind;
import dev.postrider.store.StoreExport.Line;
import dev.postrider.store.StoreExport.Order;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.SystemScheduler;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Iterator;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code postrider export}: everything in the store as lines of JSON. */
@Command(
    name = "export",
    description = {
      "Writes everything in the store as lines of JSON, files included and decrypted.",
      "Stop the servers first. 'postrider import jsonl' reads the lines."
    },
    footer = "  postrider export backup.jsonl --config postrider.yaml")
public final class Export implements Callable<Integer> {
  /** The first line, and the last; what is between them is described in docs/export.md. */
  static final String HEAD = "{\"kind\":\"export\",\"version\":%d}";

  static final String BYTES = "{\"kind\":\"bytes\",\"base64\":\"%s\"}";
  static final String END = "{\"kind\":\"end\",\"lines\":%d}";
  private static final int CHUNK = 48_000; // a multiple of 3: no padding inside a file

  private final Terminal terminal;

  @Parameters(arity = "0..1", paramLabel = "FILE", description = "A new file; else the output.")
  private @Nullable Path file;

  @Mixin private ConfigOptions options;

  private long lines;
  private boolean whole = true;

  Export(Terminal terminal) {
    this.terminal = terminal;
    this.options = new ConfigOptions(terminal);
  }

  @Override
  public Integer call() throws IOException {
    Logging.quiet();
    if (file != null && Files.exists(file)) {
      throw Failure.because(file + " is there already.");
    }
    PostriderConfig config =
        options.load(ConfigLoader.forChannelsOnClassPath(terminal.environment())).postrider();
    Stores.requireFile(config.store(), "to export");
    try (SystemScheduler time = new SystemScheduler();
        Store store =
            Stores.open(
                config.store(), "store", "export", Stores.reading(config.encryptionKeys()), time)) {
      StoreExport everything = Stores.export(store, "store");
      if (file == null) {
        write(store, everything, terminal.data());
      } else {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file, UTF_8))) {
          write(store, everything, out);
        }
      }
    } catch (StoreUnavailable | StoreRefused e) {
      throw Failure.because("The export is not whole: " + e.getMessage() + ".");
    }
    return whole ? 0 : Failure.FAILED;
  }

  private void write(Store store, StoreExport everything, PrintWriter out) throws IOException {
    print(out, HEAD.formatted(StoreExport.VERSION));
    for (Kind kind : Kind.values()) {
      Iterator<Line> all = everything.lines(kind, Order.ACCEPTED);
      while (all.hasNext()) {
        Line line = all.next();
        print(out, line.json());
        if (kind == Kind.FILE) {
          writeBytes(store, line.name(), out);
        }
      }
    }
    print(out, END.formatted(lines));
    out.flush();
    if (out.checkError()) {
      throw Failure.because("The export is not whole: it could not be written.");
    }
  }

  private void writeBytes(Store store, String hash, PrintWriter out) throws IOException {
    try (InputStream bytes = store.blobs().open(hash)) {
      for (byte[] chunk = bytes.readNBytes(CHUNK);
          chunk.length > 0;
          chunk = bytes.readNBytes(CHUNK)) {
        print(out, BYTES.formatted(Base64.getEncoder().encodeToString(chunk)));
      }
    } catch (FileNotFoundException e) {
      whole = false;
      terminal.err().println(Media.held(hash).url() + " is missing: its bytes are not there.");
    }
  }

  private void print(PrintWriter out, String line) {
    out.print(line);
    out.print('\n');
    lines++;
  }
}
