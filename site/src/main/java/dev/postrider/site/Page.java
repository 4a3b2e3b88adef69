package dev.postrider.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;

/**
 * One Markdown page.
 *
 * @param file below the root of the repository
 * @param anchors the headings by the anchors they get where Markdown is shown, in their order
 * @param links where it points at, as written
 */
record Page(
    Path file,
    String title,
    String html,
    String text,
    Map<String, String> anchors,
    List<String> links) {
  private static final List<TablesExtension> TABLES =
      List.of((TablesExtension) TablesExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(TABLES).build();
  private static final TextContentRenderer WORDS =
      TextContentRenderer.builder().extensions(TABLES).build();

  static Page read(Path root, Path file) throws IOException {
    Path folder = root.resolve(file).resolveSibling("");
    return of(file, Files.readString(root.resolve(file)), link -> onSite(folder, link));
  }

  static Page of(Path file, String markdown, UnaryOperator<String> onSite) {
    Node tree = PARSER.parse(markdown);
    Map<Heading, String> named = new LinkedHashMap<>();
    Map<String, String> anchors = new LinkedHashMap<>();
    List<String> links = new ArrayList<>();
    tree.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Heading heading) {
            String title = title(heading);
            String anchor = anchor(title);
            for (int n = 1; anchors.putIfAbsent(anchor, title) != null; n++) {
              anchor = anchor(title) + "-" + n;
            }
            named.put(heading, anchor);
            visitChildren(heading);
          }

          @Override
          public void visit(Link link) {
            links.add(link.getDestination());
            link.setDestination(onSite.apply(link.getDestination()));
            visitChildren(link);
          }
        });
    HtmlRenderer html =
        HtmlRenderer.builder()
            .extensions(TABLES)
            .attributeProviderFactory(
                _ ->
                    (node, _, attributes) -> {
                      if (node instanceof Heading heading) {
                        attributes.put("id", named.get(heading));
                      }
                    })
            .build();
    String first = anchors.values().stream().findFirst().orElse(file.getFileName().toString());
    return new Page(file, first, html.render(tree), WORDS.render(tree), anchors, links);
  }

  private static String title(Heading heading) {
    StringBuilder title = new StringBuilder();
    heading.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text text) {
            title.append(text.getLiteral());
          }

          @Override
          public void visit(Code code) {
            title.append(code.getLiteral());
          }
        });
    return title.toString();
  }

  private static String anchor(String title) {
    return title.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  /** Whether a link stays in the repository. */
  static boolean isInside(String link) {
    return !link.matches("\\w+:.*");
  }

  /** Where a link of a page in this folder leads on the site, where every file is a page. */
  static String onSite(Path folder, String link) {
    if (!isInside(link) || link.startsWith("#")) {
      return link;
    }
    int hash = link.indexOf('#');
    String target = hash < 0 ? link : link.substring(0, hash);
    return html(target, Files.isDirectory(folder.resolve(target)))
        + (hash < 0 ? "" : link.substring(hash));
  }

  /** The name on the site of a file or folder of the repository. */
  static String html(String path, boolean isFolder) {
    if (isFolder) {
      return path.replaceFirst("/$", "") + "/index.html";
    }
    return path.replaceFirst("\\.md$", "") + ".html";
  }

  String address() {
    return html(file.toString(), false);
  }
}
