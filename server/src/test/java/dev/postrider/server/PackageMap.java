package dev.postrider.server;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The map of modules and packages in ARCHITECTURE.md: what each package is for (the first sentence
 * of its package-info.java), how many types it has, and which of our packages it uses.
 */
final class PackageMap {
  static final Path PAGE = Documents.ROOT.resolve("ARCHITECTURE.md");

  private static final String ROOT_PACKAGE = "dev.postrider";
  private static final String BEGIN = "<!-- packages -->\n";
  private static final String END = "<!-- end of packages -->";
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(.*?)` \\| .* \\| \\d+ \\| (.*) \\|$");

  private PackageMap() {}

  /** ARCHITECTURE.md with the map as the code has it now. */
  static String rendered(JavaClasses code) {
    String page = Documents.read(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    return page.substring(0, begin) + map(code) + page.substring(page.indexOf(END));
  }

  /** Which packages each one may use, as the page says. */
  static Map<String, Set<String>> stated() {
    Map<String, Set<String>> stated = new TreeMap<>();
    for (MatchResult row : ROW.matcher(Documents.read(PAGE)).results().toList()) {
      Set<String> uses = new TreeSet<>();
      for (String used : row.group(2).replace("`", "").split(", ")) {
        if (!used.equals("–")) {
          uses.add(full(used));
        }
      }
      stated.merge(
          full(row.group(1)),
          uses,
          (one, other) -> {
            one.addAll(other);
            return one;
          });
    }
    return stated;
  }

  /** Which of our packages a type uses, other than its own. */
  static Set<String> uses(JavaClass type) {
    Set<String> uses = new TreeSet<>();
    type.getDirectDependenciesFromSelf().stream()
        .map(dependency -> dependency.getTargetClass().getBaseComponentType().getPackageName())
        .filter(name -> name.equals(ROOT_PACKAGE) || name.startsWith(ROOT_PACKAGE + "."))
        .filter(name -> !name.equals(type.getPackageName()))
        .forEach(uses::add);
    return uses;
  }

  private static String map(JavaClasses code) {
    StringBuilder map = new StringBuilder();
    for (Path module : Documents.modules()) {
      List<String> rows = new ArrayList<>();
      for (Path folder : packages(module)) {
        Set<String> types = types(folder);
        String name = name(module, folder);
        Set<String> uses = new TreeSet<>();
        code.stream()
            .filter(type -> type.getPackageName().equals(name))
            .filter(type -> types.contains(topLevel(type)))
            .forEach(type -> uses.addAll(uses(type)));
        rows.add(
            "| `%s` | %s | %d | %s |\n"
                .formatted(
                    shortened(name),
                    purpose(folder),
                    types.size(),
                    uses.isEmpty()
                        ? "–"
                        : String.join(", ", uses.stream().map(PackageMap::quoted).toList())));
      }
      if (!rows.isEmpty() && isAnalyzed(module, code)) {
        map.append("\n### ").append(module.getFileName()).append("\n\n");
        map.append("| package | what is in it | types | uses |\n|---|---|---|---|\n");
        rows.forEach(map::append);
      }
    }
    return map.append('\n').toString();
  }

  /** Benchmarks are on nobody's class path. */
  private static boolean isAnalyzed(Path module, JavaClasses code) {
    return packages(module).stream()
        .anyMatch(
            folder ->
                types(folder).stream()
                    .anyMatch(type -> code.contain(name(module, folder) + "." + type)));
  }

  private static List<Path> packages(Path module) {
    return Documents.files(module.resolve("src/main/java"), 99, "package-info.java").stream()
        .map(Path::getParent)
        .sorted(Comparator.comparing(Path::toString))
        .toList();
  }

  private static Set<String> types(Path folder) {
    Set<String> types = new TreeSet<>();
    for (Path file : Documents.files(folder, 1, ".java")) {
      types.add(file.getFileName().toString().replace(".java", ""));
    }
    types.removeAll(List.of("package-info", "module-info"));
    return types;
  }

  private static String topLevel(JavaClass type) {
    String name = type.getFullName().substring(type.getPackageName().length() + 1);
    return name.replaceAll("\\$.*", "");
  }

  private static String name(Path module, Path folder) {
    return module.resolve("src/main/java").relativize(folder).toString().replace('/', '.');
  }

  /** The first sentence, in Markdown. */
  private static String purpose(Path folder) {
    String source = Documents.read(folder.resolve("package-info.java"));
    int begin = source.indexOf("/**");
    if (begin < 0) {
      return "";
    }
    String comment =
        source
            .substring(begin + 3, source.indexOf("*/"))
            .replaceAll("(?m)^\\s*\\* ?", "")
            .replaceAll("\\s+", " ")
            .replaceAll("\\{@code (.*?)}", "`$1`")
            .replaceAll("\\{@link (?:[a-z]\\w*\\.)*(\\w+)(?:#(\\w+))?.*?}", "`$1`")
            .replace("|", "\\|")
            .strip();
    return comment.replaceAll("(?<=\\.) .*", "");
  }

  private static String quoted(String name) {
    return "`" + shortened(name) + "`";
  }

  private static String shortened(String name) {
    return name.equals(ROOT_PACKAGE) ? name : name.substring(ROOT_PACKAGE.length() + 1);
  }

  private static String full(String name) {
    return name.equals(ROOT_PACKAGE) ? name : ROOT_PACKAGE + "." + name;
  }
}
