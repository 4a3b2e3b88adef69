package dev.postrider.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher of a package, with a Java that only tells what it was given. */
class LauncherTest {
  private static final Path LAUNCHER = Path.of("launcher");

  @TempDir Path dir;
  private Path java;
  private Path launcher;

  @BeforeEach
  void unpack() throws IOException {
    Path app = Files.createDirectories(dir.resolve("package/app"));
    Files.createDirectories(app.resolve("lib"));
    Files.createDirectories(app.resolve("native"));
    Files.writeString(app.resolve("postrider.jar"), "");
    Files.writeString(app.resolve("serve.aot"), "");
    Files.copy(LAUNCHER.resolve("run.sh"), app.resolve("run.sh"));
    launcher = Files.createDirectories(dir.resolve("package/bin")).resolve("postrider");
    Files.copy(LAUNCHER.resolve("postrider"), launcher, StandardCopyOption.COPY_ATTRIBUTES);
    java = program("package/runtime/bin/java", "echo \"$0\" \"$@\"");
    // What a package must not need, and must not use where it is there.
    program("path/java", "echo another Java");
    program("path/mvn", "echo Maven");
  }

  @Test
  void it_runs_its_own_java_on_what_lies_in_the_package() throws Exception {
    Path link = Files.createSymbolicLink(dir.resolve("link"), launcher);
    Path app = launcher.getParent().resolveSibling("app");

    assertThat(run(link, "serve", "--port", "0"))
        .startsWith(java.toString())
        .contains(
            " -XX:AOTCache=" + app.resolve("serve.aot") + " ",
            " -Dorg.sqlite.lib.path=" + app.resolve("native") + " ",
            " -Dfr.acinq.secp256k1.lib.path=" + app.resolve("native") + " ")
        .endsWith(" -jar " + app.resolve("postrider.jar") + " serve --port 0\n");
    assertThat(run(link, "status")).as("there is no cache for it").doesNotContain("AOTCache");
  }

  @Test
  void without_its_java_it_says_so_and_neither_looks_for_another_nor_builds() throws Exception {
    Files.delete(java);

    assertThat(run(launcher, "serve"))
        .contains("runtime/bin/java is missing", "install or unpack it again")
        .doesNotContain("another Java", "Maven");
  }

  private Path program(String name, String line) throws IOException {
    Path program = dir.resolve(name);
    Files.createDirectories(program.getParent());
    Files.writeString(program, "#!/bin/sh\n" + line + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program;
  }

  private String run(Path program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().merge("PATH", dir.resolve("path") + ":", (path, first) -> first + path);
    builder.environment().put("JAVA_HOME", dir.resolve("path").toString());
    builder.environment().remove("POSTRIDER_JAVA_OPTS");
    return new String(builder.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
