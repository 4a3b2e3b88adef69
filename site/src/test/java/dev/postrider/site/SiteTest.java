package dev.postrider.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real documentation, as a site. */
class SiteTest {
  private static final Pattern ADDRESS = Pattern.compile("(?:href|src)=\"([^\"]*)\"");

  @TempDir static Path out;
  private static Map<Path, Page> pages = Map.of();

  @BeforeAll
  static void build() throws IOException {
    pages = Site.build(Path.of(".."), out);
  }

  private static List<Path> written() throws IOException {
    try (Stream<Path> files = Files.walk(out)) {
      return files.filter(file -> file.toString().endsWith(".html")).toList();
    }
  }

  @Test
  void every_page_of_the_documentation_is_on_it() {
    assertThat(pages).hasSizeGreaterThan(60);
    assertThat(pages.values()).allSatisfy(page -> assertThat(out.resolve(page.address())).exists());
    assertThat(pages.keySet())
        .contains(Path.of("README.md"), Path.of("docs/index.md"), Path.of("docs/channels/line.md"));
  }

  @Test
  void every_address_leads_to_a_file_and_a_heading_on_it() throws IOException {
    List<String> broken = new ArrayList<>();
    int addresses = 0;
    for (Path page : written()) {
      for (MatchResult address : ADDRESS.matcher(Files.readString(page)).results().toList()) {
        String[] parts = address.group(1).split("#", 2);
        if (Page.isInside(address.group(1))) {
          addresses++;
          Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
          if (!Files.isRegularFile(file)
              || (parts.length > 1
                  && !Files.readString(file).contains("id=\"" + parts[1] + "\""))) {
            broken.add(out.relativize(page) + ": " + address.group(1));
          }
        }
      }
    }
    assertThat(addresses).isGreaterThan(3000);
    assertThat(broken).isEmpty();
  }

  /** Pages link outwards, but nothing is loaded from there. */
  @Test
  void nothing_comes_from_outside() throws IOException {
    for (Path page : written()) {
      String html = Files.readString(page).replaceAll("(?s)<pre>.*?</pre>", "");
      assertThat(html).doesNotContainPattern("src=\"(https?:)?//").doesNotContain("<style");
      assertThat(html).doesNotContainPattern("<script(?![^>]* src=)");
    }
  }

  @Test
  void every_page_people_read_from_the_top_is_in_the_menu() throws IOException {
    String menu = Files.readString(Path.of("../docs/index.md"));
    List<String> missing = new ArrayList<>();
    for (Path page : pages.keySet()) {
      String name = page.getFileName().toString();
      if (page.getParent() != null && page.getNameCount() == 2 && !name.equals("index.md")) {
        if (!menu.contains("](" + name + ")")) {
          missing.add(name);
        }
      }
    }
    assertThat(missing).as("pages of docs/ that docs/index.md does not name").isEmpty();
  }

  @Test
  void headings_have_the_anchors_that_links_use_elsewhere() {
    Page page = Page.of(Path.of("a.md"), "# Files & `media`\n\n## Now\n\n## Now\n", link -> link);
    assertThat(page.anchors().keySet()).containsExactly("files--media", "now", "now-1");
    assertThat(page.html()).contains("<h2 id=\"now-1\">Now</h2>");
    assertThat(page.title()).isEqualTo("Files & media");
  }

  @Test
  void links_lead_to_pages_of_the_site_and_others_stay_as_they_are() {
    Path docs = Path.of("../docs");
    assertThat(Page.onSite(docs, "guide.md#top")).isEqualTo("guide.html#top");
    assertThat(Page.onSite(docs, "../core/A.java")).isEqualTo("../core/A.java.html");
    assertThat(Page.onSite(docs, "channels")).isEqualTo("channels/index.html");
    assertThat(Page.onSite(docs, "#here")).isEqualTo("#here");
    assertThat(Page.onSite(docs, "https://example.org/a.md")).isEqualTo("https://example.org/a.md");
  }
}
