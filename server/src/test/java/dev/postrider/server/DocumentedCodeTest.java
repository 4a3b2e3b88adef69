package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.Documents.Fence;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java in README and docs compiles, with what core and reminders publish and nothing else. */
class DocumentedCodeTest {
  @TempDir Path classes;

  static Stream<Fence> snippets() {
    List<Fence> all =
        Documents.pages().stream()
            .flatMap(page -> Documents.fences(page).stream())
            .filter(fence -> fence.language().equals("java"))
            .filter(fence -> !fence.text().startsWith("package ")) // a whole file
            .filter(fence -> !Documents.isProgram(fence)) // run by DocumentedRunsTest
            .toList();
    assertThat(all).hasSizeGreaterThan(3);
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("snippets")
  void the_code_of_a_page_compiles(Fence fence) {
    String source =
        """
        %s
        import java.nio.file.*;
        import java.sql.*;
        import java.time.*;
        import java.util.*;

        class Snippet {
          interface Orders {
            void markShipped(Connection connection, int number);
          }

          Postrider postrider;
          PostriderConfig config;
          String token;
          Orders orders;
          javax.sql.DataSource dataSource;

          void run() throws Exception {
            %s
          }
        }
        """
            .formatted(
                published().stream()
                    .map(name -> "import " + name + ".*;")
                    .collect(Collectors.joining("\n")),
                fence.text());
    StringWriter said = new StringWriter();
    boolean compiled =
        ToolProvider.getSystemJavaCompiler()
            .getTask(
                said,
                null,
                null,
                List.of(
                    "-proc:none",
                    "-d",
                    classes.toString(),
                    "-cp",
                    System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"))),
                null,
                List.of(
                    new SimpleJavaFileObject(
                        URI.create("string:///Snippet.java"), JavaFileObject.Kind.SOURCE) {
                      @Override
                      public CharSequence getCharContent(boolean ignoreErrors) {
                        return source;
                      }
                    }))
            .call();

    assertThat(compiled).as("%s: %s", fence.page(), said).isTrue();
  }

  private static List<String> published() {
    List<String> packages = new ArrayList<>();
    for (String module : List.of("core", "reminders")) {
      Path sources = Documents.ROOT.resolve(module).resolve("src/main/java");
      Documents.files(sources, 99, "package-info.java").stream()
          .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
          .filter(name -> !name.contains(".internal"))
          .forEach(packages::add);
    }
    return packages;
  }
}
