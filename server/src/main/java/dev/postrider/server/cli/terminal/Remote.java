package dev.postrider.server.cli.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Scanner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The options of every command that speaks to a server. */
public final class Remote {
  private static final JsonMapper PRETTY =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  /** What commands say of their option {@code --reason}. */
  public static final String REASON = "The reason, which is shown while the pause lasts.";

  private final Terminal terminal;

  @Option(names = "--url", paramLabel = "URL", description = "The server; http://127.0.0.1:8080.")
  private @Nullable String url;

  @Option(
      names = "--token",
      paramLabel = "SECRET",
      description = "Needed if the server has tokens.")
  private @Nullable String token;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "Trust only certificates of this PEM file, such as a private authority's.")
  private @Nullable Path ca;

  @Option(names = "--json", description = "Print the server's answer as JSON.")
  private boolean json;

  public Remote(Terminal terminal) {
    this.terminal = terminal;
  }

  public PrintWriter err() {
    return terminal.err();
  }

  public Client client() {
    return client("http://127.0.0.1:8080", null);
  }

  /**
   * A client of the server that the options or the environment name.
   *
   * @param otherwise where it is if they name none
   * @param certificates whose are believed there
   */
  public Client client(String otherwise, @Nullable Path certificates) {
    @Nullable String where = url != null ? url : terminal.environment().get("POSTRIDER_URL");
    @Nullable String secret = token != null ? token : terminal.environment().get("POSTRIDER_TOKEN");
    @Nullable String named = terminal.environment().get("POSTRIDER_CA");
    @Nullable Path trusted = ca != null || named == null ? ca : Path.of(named);
    return where != null
        ? new Client(where, secret, trusted)
        : new Client(otherwise, secret, trusted != null ? trusted : certificates);
  }

  public Terminal terminal() {
    return terminal;
  }

  /** Prints one of several answers: with {@code --json} each on a line of its own. */
  public void printLine(JsonNode answer, View inWords) {
    if (json) {
      terminal.data().println(answer);
      terminal.data().flush();
    } else {
      inWords.print(terminal.out(), answer);
    }
  }

  public boolean wantsJson() {
    return json;
  }

  /** Says an answer in words. */
  public interface View {
    void print(Screen out, JsonNode answer);
  }

  /** Prints an answer: as it is with {@code --json}, else in words. */
  public void print(JsonNode answer, View inWords) {
    if (json) {
      terminal.data().println(PRETTY.writeValueAsString(answer));
    } else {
      inWords.print(terminal.out(), answer);
    }
  }

  /** Asks a person a question that wants a yes. */
  public boolean confirmed(String question) {
    terminal.out().print(question + " [y/N] ");
    terminal.out().flush();
    return new Scanner(terminal.in(), StandardCharsets.UTF_8)
        .useDelimiter("\n")
        .tokens()
        .findFirst()
        .filter(answer -> answer.strip().matches("(?i)y|yes"))
        .isPresent();
  }

  // ---- whole commands; each gives its exit code

  public int get(String path, View inWords) {
    print(client().get(path), inWords);
    return 0;
  }

  /** Prints a list, or a page of it. */
  public int list(String path, Columns columns, String nothing) {
    return get(path, (out, page) -> columns.printPage(out, page, nothing));
  }

  public int post(String path, @Nullable Object body, View inWords) {
    print(client().post(path, body), inWords);
    return 0;
  }

  public int put(String path, Object body, View inWords) {
    print(client().put(path, body), inWords);
    return 0;
  }

  /** Brings a table in CSV. */
  public int postTable(String path, String table, View inWords) {
    print(client().postTable(path, table), inWords);
    return 0;
  }

  public int delete(String path, String done) {
    client().delete(path);
    if (!json) {
      terminal.out().println(done);
    }
    return 0;
  }

  /** Prints an answer as it comes, however long it is. */
  public int copy(String path) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(client().stream(path), StandardCharsets.UTF_8))) {
      lines.lines().forEach(terminal.data()::println);
    }
    return 0;
  }

  /**
   * Saves an answer in a new file.
   *
   * @param file null for one of the answer's own name in the current folder
   */
  public int download(String path, @Nullable Path file) {
    Client.Download download = client().download(path);
    Path target = file == null ? Path.of(download.name()) : file;
    try (InputStream bytes = download.bytes();
        OutputStream out = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW)) {
      long size = save(bytes, out, target);
      JsonNode saved = PRETTY.createObjectNode().put("file", target.toString()).put("size", size);
      print(saved, (words, _) -> words.println("Saved " + size + " bytes in " + target + "."));
      return 0;
    } catch (FileAlreadyExistsException e) {
      throw Failure.because("'" + target + "' is there already; give another name with --output.");
    } catch (IOException e) {
      throw Failure.because("'" + target + "' cannot be written: " + e.getMessage());
    }
  }

  /** A file that came in part is not left behind. */
  private static long save(InputStream bytes, OutputStream out, Path target) throws IOException {
    try {
      return bytes.transferTo(out);
    } catch (IOException e) {
      Files.deleteIfExists(target);
      throw Failure.because("The file ended too early: " + e.getMessage());
    }
  }
}
