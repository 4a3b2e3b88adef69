package dev.postrider.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Markdown pages of the repository and its Java sources, as tests read them. */
public final class Documents {
  public static final Path ROOT = root();

  /** Found from the classes, since tests are also looked for where the build was started. */
  private static Path root() {
    try {
      Path place =
          Path.of(Documents.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      while (!Files.exists(place.resolve(".editorconfig"))) {
        place = place.getParent();
      }
      return place;
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final Pattern FENCE =
      Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$"); // group 1: language, 2: content
  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");

  private Documents() {}

  /** What stands between two lines of three backticks. */
  public record Fence(Path page, String language, String text) {}

  /** A command as a page shows it, with what its comment says. */
  public record Command(Path page, String text, String comment) {
    /** Its words, as a shell would split them; what it reads from a file is left out. */
    public List<String> words() {
      List<String> words = new ArrayList<>();
      Matcher word = WORD.matcher(text);
      while (word.find()) {
        words.add(word.group().replaceAll("[\"']", ""));
      }
      int redirect = words.indexOf("<");
      return redirect < 0 ? words : List.copyOf(words.subList(0, redirect));
    }

    @Override
    public String toString() {
      return text + "   (" + ROOT.relativize(page) + ")";
    }
  }

  private static final Pattern WORD = Pattern.compile("(?:\"[^\"]*\"|'[^']*'|[^\\s\"'])+");

  /** All pages but the change log, which is about what was. */
  public static List<Path> pages() {
    List<Path> pages = new ArrayList<>(files(ROOT, 1, ".md"));
    pages.addAll(files(ROOT.resolve("docs"), 9, ".md"));
    pages.removeIf(page -> page.endsWith("CHANGELOG.md"));
    return pages;
  }

  public static List<Fence> fences(Path page) {
    return FENCE
        .matcher(read(page))
        .results()
        .map(fence -> new Fence(page, fence.group(1), fence.group(2)))
        .toList();
  }

  /** Whether it is a whole program that a reader can run as it stands there. */
  public static boolean isProgram(Fence fence) {
    return switch (fence.language()) {
      case "python", "javascript" -> !isReceiver(fence);
      case "java" -> fence.text().contains("\nvoid main(");
      default -> false;
    };
  }

  /** Whether it is a web server that messages are pushed to, and so does not end by itself. */
  public static boolean isReceiver(Fence fence) {
    return fence.text().contains("serve_forever");
  }

  /** A page without what stands in fences. */
  public static String prose(Path page) {
    return FENCE.matcher(read(page)).replaceAll("");
  }

  /** The commands in a page's fences: lines after a prompt, or lines that begin with a program. */
  public static List<Command> commands(Path page) {
    List<Command> commands = new ArrayList<>();
    for (Fence fence : fences(page)) {
      if (fence.language().isEmpty()) {
        boolean prompts = fence.text().startsWith("$ ");
        for (String line : fence.text().replace("\\\n", " ").split("\n")) {
          if (prompts ? line.startsWith("$ ") : line.matches("(\\./|dev/|curl |source ).*")) {
            String text = prompts ? line.substring(2) : line;
            int comment = text.indexOf(" # ");
            commands.add(
                comment < 0
                    ? new Command(page, text, "")
                    : new Command(
                        page, text.substring(0, comment).strip(), text.substring(comment + 3)));
          }
        }
      }
    }
    return commands;
  }

  /** All Java sources, tests too: file by file, each with its text. */
  public static Map<Path, String> sources() {
    Map<Path, String> sources = new TreeMap<>();
    for (Path module : modules()) {
      for (Path file : files(module.resolve("src"), 99, ".java")) {
        sources.put(file, read(file));
      }
    }
    return sources;
  }

  /** The sources by the types they declare; of the same name, one after the other. */
  public static Map<String, String> types() {
    Map<String, String> types = new TreeMap<>();
    for (String source : sources().values()) {
      DECLARED
          .matcher(source)
          .results()
          .map(declared -> declared.group(1))
          .distinct()
          .forEach(name -> types.merge(name, source, String::concat));
    }
    return types;
  }

  /** In the order in which they are built. */
  public static List<Path> modules() {
    return Pattern.compile("<module>(.*?)</module>")
        .matcher(read(ROOT.resolve("pom.xml")))
        .results()
        .map(module -> ROOT.resolve(module.group(1)))
        .toList();
  }

  /** None where there is no such folder, such as the sources of a module that is only a pom. */
  public static List<Path> files(Path folder, int depth, String ending) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder, depth)) {
      return files
          .filter(file -> file.toString().endsWith(ending) && Files.isRegularFile(file))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
