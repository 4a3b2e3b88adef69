package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the pages name and point at is there. */
class DocumentsTest {
  private static final Pattern LINK = Pattern.compile("(?<!`)\\[([^\\]]*)]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern TYPE =
      Pattern.compile("`(?:[a-z]+\\.)*([A-Z]\\w*[a-z]\\w*)(?:\\.(\\w+))?(?:[(<][^`]*)?`");

  private static final Pattern PACKAGE = Pattern.compile("\\bdev\\.postrider(\\.\\w+)+\\b");

  /** Words in backticks that look like types of ours and are somebody else's. */
  private static final Set<String> OTHERS =
      Set.of(
          "Error",
          "Forwarded",
          "Host",
          "HttpURLConnection",
          "IOException",
          "InetSocketAddress",
          "Infinity",
          "LimitNOFILE",
          "NaN",
          "SSLContext",
          "SSLEngine",
          "ZonedDateTime");

  @Test
  void every_link_leads_to_a_file_and_a_heading_that_are_there() {
    List<String> broken = new ArrayList<>();
    int links = 0;
    List<Path> pages = new ArrayList<>(Documents.pages());
    pages.add(Documents.ROOT.resolve("CHANGELOG.md"));
    for (Path page : pages) {
      for (MatchResult link : LINK.matcher(Documents.prose(page)).results().toList()) {
        if (!link.group(2).matches("\\w+:.*")) {
          links++;
          if (!resolves(page, link.group(2))) {
            broken.add(Documents.ROOT.relativize(page) + ": " + link.group());
          }
        }
      }
    }
    assertThat(links).isGreaterThan(100);
    assertThat(broken).as("links that lead nowhere").isEmpty();
  }

  private static boolean resolves(Path page, String target) {
    String[] parts = URLDecoder.decode(target, StandardCharsets.UTF_8).split("#", 2);
    Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    return Files.exists(file) && (parts.length == 1 || anchors(file).contains(parts[1]));
  }

  /** The anchors that a heading gets where Markdown is shown. */
  private static List<String> anchors(Path page) {
    return HEADING
        .matcher(Documents.prose(page))
        .results()
        .map(
            heading ->
                heading
                    .group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'))
        .toList();
  }

  @Test
  void every_link_with_the_name_of_a_type_leads_to_its_file() {
    List<String> wrong = new ArrayList<>();
    int links = 0;
    for (Path page : Documents.pages()) {
      for (MatchResult link : LINK.matcher(Documents.prose(page)).results().toList()) {
        if (link.group(2).endsWith(".java")) {
          links++;
          String file = Path.of(link.group(2)).getFileName().toString();
          if (!link.group(1).equals("`" + file.replace(".java", "") + "`")) {
            wrong.add(Documents.ROOT.relativize(page) + ": " + link.group());
          }
        }
      }
    }
    assertThat(links).isGreaterThan(50);
    assertThat(wrong).as("links that say another name than they lead to").isEmpty();
  }

  @Test
  void every_type_and_member_that_a_page_names_exists() {
    Map<String, String> types = Documents.types();
    List<String> unknown = new ArrayList<>();
    int named = 0;
    for (Path page : Documents.pages()) {
      String prose = Documents.prose(page);
      if (page.endsWith("UPGRADING.md")) {
        prose = prose.replaceAll("(?m)^(\\|[^|]*\\|)[^|]*\\|", "$1"); // without the old names
      }
      for (MatchResult name : TYPE.matcher(prose).results().toList()) {
        if (!OTHERS.contains(name.group(1))) {
          named++;
          String source = types.get(name.group(1));
          if (source == null || (name.group(2) != null && !declares(source, name.group(2)))) {
            unknown.add(Documents.ROOT.relativize(page) + ": " + name.group());
          }
        }
      }
    }
    assertThat(named).isGreaterThan(200);
    assertThat(unknown).as("names of types and members that do not exist").isEmpty();
  }

  @Test
  void every_package_that_a_page_names_exists() {
    Set<String> known = new TreeSet<>();
    for (Path file : Documents.sources().keySet()) {
      String name = file.toString().replaceAll(".*/src/(main|test)/java/", "");
      for (int end = name.length(); end > 0; end = name.lastIndexOf('/', end - 1)) {
        known.add(name.substring(0, end).replace(".java", "").replace('/', '.'));
      }
    }
    List<String> unknown = new ArrayList<>();
    int named = 0;
    for (Path page : Documents.pages()) {
      for (MatchResult name : PACKAGE.matcher(Documents.read(page)).results().toList()) {
        named++;
        if (!known.contains(name.group())) {
          unknown.add(Documents.ROOT.relativize(page) + ": " + name.group());
        }
      }
    }
    assertThat(named).isPositive();
    assertThat(unknown).as("packages that do not exist").isEmpty();
  }

  /** Methods, constants and nested types: a name that is not preceded by the dot of a call. */
  private static boolean declares(String source, String member) {
    return Pattern.compile("(?<![.\\w\"])" + member + "\\b").matcher(source).find();
  }

  @Test
  void every_test_the_field_notes_name_exists() {
    Map<String, String> types = Documents.types();
    List<MatchResult> named =
        Pattern.compile("`([A-Z]\\w+)\\.(\\w+)`")
            .matcher(Documents.read(Documents.ROOT.resolve("docs/field-notes.md")))
            .results()
            .toList();

    assertThat(named).hasSizeGreaterThan(40);
    for (MatchResult one : named) {
      assertThat(types.getOrDefault(one.group(1), ""))
          .as(one.group())
          .contains("void " + one.group(2) + "(");
    }
  }

  @Test
  void every_module_stands_in_the_map_with_what_it_depends_on() {
    String map = Documents.fences(Documents.ROOT.resolve("ARCHITECTURE.md")).getFirst().text();
    for (Path module : Documents.modules()) {
      String name = module.getFileName().toString();
      assertThat(map).contains("\n" + name + "/");
      String line = map.lines().filter(row -> row.startsWith(name + "/")).findFirst().orElseThrow();
      if (line.contains("→ ") && !line.contains("everything")) {
        assertThat(line.substring(line.indexOf("→ ") + 2).replace(" only", "").split(", "))
            .as("what %s depends on, in its pom", name)
            .containsExactlyInAnyOrderElementsOf(dependencies(module));
      }
    }
  }

  /** Our own modules that a pom depends on, not for tests alone; slf4j-api if there is none. */
  private static List<String> dependencies(Path module) {
    List<String> ours =
        Pattern.compile("(?s)<dependency>(.*?)</dependency>")
            .matcher(Documents.read(module.resolve("pom.xml")))
            .results()
            .map(MatchResult::group)
            .filter(dependency -> !dependency.contains("<scope>test"))
            .filter(dependency -> dependency.contains("<groupId>dev.postrider<"))
            .map(dependency -> dependency.replaceAll("(?s).*<artifactId>postrider-(.*?)<.*", "$1"))
            .toList();
    return ours.isEmpty() ? List.of("slf4j-api") : ours;
  }
}
