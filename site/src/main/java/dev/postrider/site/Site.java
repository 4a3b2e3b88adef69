package dev.postrider.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The documentation as a web site. It lies in the same folders as the pages it is made from, so
 * that their links hold; what they link to and is no page (sources, settings, folders) is shown as
 * text. {@code docs/index.md} is both the front page and the menu.
 */
public final class Site {
  private static final Path FRONT = Path.of("docs/index.md");
  private static final Pattern MENU = Pattern.compile("(?m)^(?:## (.*)|- \\[(.*?)]\\((.*?)\\).*)$");
  private static final List<String> ASSETS = List.of("site.css", "search.js", "capacity.js");

  private final Path root;
  private final Path out;
  private final Map<Path, Page> pages = new TreeMap<>();

  private Site(Path root, Path out) {
    this.root = root;
    this.out = out;
  }

  /** {@code Site ROOT OUT}: the repository, and the folder that the site is written to. */
  public static void main(String[] args) throws IOException {
    int pages = build(Path.of(args[0]), Path.of(args[1])).size();
    System.out.printf("%d pages: open %s%n", pages, Path.of(args[1]).resolve("index.html"));
  }

  /** Gives the pages, by their files below the root. */
  static Map<Path, Page> build(Path root, Path out) throws IOException {
    Site site = new Site(root, out);
    site.read();
    site.write();
    return site.pages;
  }

  private void read() throws IOException {
    for (Path file : markdown()) {
      Path name = root.relativize(file);
      pages.put(name, Page.read(root, name));
    }
  }

  private List<Path> markdown() throws IOException {
    try (Stream<Path> top = Files.list(root);
        Stream<Path> docs = Files.walk(root.resolve("docs"))) {
      return Stream.concat(top, docs).filter(file -> file.toString().endsWith(".md")).toList();
    }
  }

  private void write() throws IOException {
    for (Page page : pages.values()) {
      write(Path.of(page.address()), page.title(), page.html(), page.file());
      for (String link : page.links()) {
        if (Page.isInside(link) && !link.startsWith("#")) {
          show(root.resolve(page.file()).resolveSibling(link.replaceAll("#.*", "")).normalize());
        }
      }
    }
    copy(root.resolve("docs/images"), out.resolve("docs/images"));
    for (String asset : ASSETS) {
      Files.writeString(out.resolve(asset), resource(asset));
    }
    Files.writeString(out.resolve("search-index.js"), searchIndex());
    Files.writeString(
        out.resolve("index.html"),
        "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=docs/index.html\">");
  }

  /** Shows what a page links to and is no page. */
  private void show(Path file) throws IOException {
    Path name = root.relativize(file);
    if (pages.containsKey(name)) {
      return;
    }
    String title = name.getFileName().toString();
    Path target = Path.of(Page.html(name.toString(), Files.isDirectory(file)));
    if (Files.isDirectory(file)) {
      write(target, title, listing(file), name);
    } else if (title.matches(".*\\.(png|svg)")) {
      Files.createDirectories(out.resolve(name).getParent());
      Files.write(out.resolve(name), Files.readAllBytes(file));
    } else {
      write(target, title, "<h1>" + escape(title) + "</h1>\n" + text(file), name);
    }
  }

  private static String text(Path file) throws IOException {
    return "<pre><code>" + escape(Files.readString(file)) + "</code></pre>\n";
  }

  private String listing(Path folder) throws IOException {
    String head = "<h1>" + escape(folder.getFileName().toString()) + "</h1>\n<ul>\n";
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .sorted()
          .map(file -> pages.get(root.relativize(file)))
          .filter(Objects::nonNull)
          .map(page -> "<li>" + link(page.file().getFileName(), page.title()) + "</li>\n")
          .collect(Collectors.joining("", head, "</ul>\n"));
    }
  }

  private static String link(Path file, String title) {
    return "<a href=\"%s\">%s</a>".formatted(Page.html(file.toString(), false), escape(title));
  }

  private void write(Path file, String title, String content, Path shown) throws IOException {
    String up = "../".repeat(file.getNameCount() - 1);
    Files.createDirectories(out.resolve(file).getParent());
    Files.writeString(
        out.resolve(file),
        resource("page.html")
            .replace("{title}", escape(title))
            .replace("{up}", up)
            .replace("{menu}", menu(up, shown))
            .replace("{content}", content));
  }

  /** The front page's list of pages, the shown one marked. */
  private String menu(String up, Path shown) throws IOException {
    StringBuilder menu = new StringBuilder();
    String front = Files.readString(root.resolve(FRONT));
    for (MatchResult row : MENU.matcher(front).results().toList()) {
      if (row.group(1) != null) {
        menu.append("<h2>").append(escape(row.group(1))).append("</h2>\n");
      } else {
        Path file = FRONT.resolveSibling(row.group(3)).normalize();
        menu.append(
            "<a href=\"%s\"%s>%s</a>\n"
                .formatted(
                    up + Page.html(file.toString(), Files.isDirectory(root.resolve(file))),
                    file.equals(shown) ? " aria-current=\"page\"" : "",
                    escape(row.group(2).replace("`", ""))));
      }
    }
    return menu.toString();
  }

  /** Every page's title, address, headings and words: what {@code search.js} looks through. */
  private String searchIndex() {
    List<String> rows = new ArrayList<>();
    for (Page page : pages.values()) {
      String headings =
          page.anchors().entrySet().stream()
              .map(
                  heading ->
                      "[" + quoted(heading.getKey()) + "," + quoted(heading.getValue()) + "]")
              .collect(Collectors.joining(",", "[", "]"));
      rows.add(
          "[%s,%s,%s,%s]"
              .formatted(
                  quoted(page.address()), quoted(page.title()), headings, quoted(page.text())));
    }
    return "const searchIndex = [\n" + String.join(",\n", rows) + "\n];\n";
  }

  private static String quoted(String text) {
    return text.codePoints()
        .mapToObj(
            c ->
                c == '"' || c == '\\' || c == '<' || c < ' '
                    ? "\\u%04x".formatted(c)
                    : Character.toString(c))
        .collect(Collectors.joining("", "\"", "\""));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.write(to.resolve(file.getFileName()), Files.readAllBytes(file));
      }
    }
  }

  private static String resource(String name) {
    try (InputStream in = Site.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("there is no " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
