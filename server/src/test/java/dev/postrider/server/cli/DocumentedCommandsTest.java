package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.Documents;
import dev.postrider.server.Documents.Command;
import dev.postrider.server.Documents.Fence;
import dev.postrider.server.cli.terminal.Terminal;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Every command that a page shows exists, with its options. Those that can be run are run too, by
 * {@link DocumentedRunsTest}.
 */
class DocumentedCommandsTest {
  private static final Pattern INLINE =
      Pattern.compile("`((?:\\./)?(?:postrider|check) [^`]*|\\./postrider|dev/\\w[^`]*)`");
  private static final Pattern IN_COMMENT =
      Pattern.compile("(?m)^# .*?((?:\\./postrider|/opt/postrider/bin/postrider) .*)$");
  private static final Pattern PROPERTY = Pattern.compile("-D([\\w.]+)(?:=('[^']*'|[^\\s`]*))?");

  private final List<String> wrong = new ArrayList<>();
  private final CommandLine postrider =
      Main.commandLine(
          new Terminal(
              Map.of(),
              InputStream.nullInputStream(),
              new PrintWriter(Writer.nullWriter()),
              new PrintWriter(Writer.nullWriter()),
              false));

  @Test
  void at_the_root_there_are_two_commands() throws Exception {
    try (Stream<Path> files = Files.list(Documents.ROOT)) {
      assertThat(files.filter(file -> Files.isRegularFile(file) && Files.isExecutable(file)))
          .extracting(file -> file.getFileName().toString())
          .containsExactlyInAnyOrder("postrider", "check");
    }
  }

  @Test
  void every_command_in_a_fence_is_understood() {
    int commands = 0;
    for (Path page : Documents.pages()) {
      for (Command command : Documents.commands(page)) {
        commands++;
        check(command);
      }
      for (Fence fence : Documents.fences(page)) {
        for (MatchResult comment : IN_COMMENT.matcher(fence.text()).results().toList()) {
          commands++;
          check(new Command(page, comment.group(1), ""));
        }
      }
    }
    assertThat(commands).isGreaterThan(40);
    assertThat(wrong).as("commands that are not understood").isEmpty();
  }

  private void check(Command command) {
    List<String> words = command.words();
    switch (words.getFirst()) {
      case "./postrider", "/opt/postrider/bin/postrider" -> {
        try {
          postrider.parseArgs(words.subList(1, words.size()).toArray(String[]::new));
        } catch (ParameterException e) {
          wrong.add(e.getMessage() + ": " + command);
        }
        checkComment(command);
      }
      case "source", "curl" -> {} // run by DocumentedRunsTest
      default -> named(command.page(), command.text());
    }
  }

  /** What a comment lists: options of the command, or further commands beside it. */
  private void checkComment(Command command) {
    List<String> items = List.of(command.comment().split("[,;] "));
    List<String> words = command.words();
    CommandLine group = postrider.getSubcommands().get(words.get(1));
    boolean commands = known(group, items.getFirst().split(" ")[0]) != null;
    for (String item : items) {
      if (commands) {
        String first = item.split(" ")[0];
        named(
            command.page(),
            "postrider " + (known(group, first) != null ? words.get(1) + " " : "") + item);
      } else if (item.startsWith("--")) {
        String verb = group.getSubcommands().isEmpty() ? "" : words.get(2) + " ";
        named(command.page(), "postrider " + words.get(1) + " " + verb + item);
      }
    }
  }

  private static @Nullable CommandLine known(CommandLine group, String name) {
    return group.getSubcommands().get(name);
  }

  @Test
  void every_command_in_a_sentence_exists_with_its_options() {
    int commands = 0;
    for (Path page : Documents.pages()) {
      for (MatchResult inline : INLINE.matcher(Documents.prose(page)).results().toList()) {
        commands++;
        named(page, inline.group(1));
      }
    }
    assertThat(commands).isGreaterThan(30);
    assertThat(wrong).as("commands that do not exist").isEmpty();
  }

  @Test
  void every_command_in_the_files_for_operators_exists() throws Exception {
    for (Path file :
        List.of(
            Documents.ROOT.resolve("postrider.default.yaml"),
            Documents.ROOT.resolve("deploy/postrider.service"),
            Documents.ROOT.resolve("deploy/postrider-backup.service"))) {
      String text = Files.readString(file);
      Stream.concat(
              INLINE.matcher(text).results().map(inline -> inline.group(1)),
              Pattern.compile("/opt/postrider/bin/(postrider .*)")
                  .matcher(text)
                  .results()
                  .map(command -> command.group(1).replaceAll(" *#.*", "")))
          .forEach(command -> named(file, command));
    }
    assertThat(wrong).as("commands that do not exist").isEmpty();
  }

  @Test
  void the_launchers_know_no_command_that_does_not_exist() {
    Path packaging = Documents.ROOT.resolve("packaging/launcher");
    String choice = Documents.read(packaging.resolve("run.sh"));
    choice = choice.substring(choice.indexOf("  case $command in"));
    String heads =
        Stream.of(Documents.ROOT.resolve("postrider"), packaging.resolve("postrider"))
            .map(launcher -> Documents.read(launcher).split("set -eu")[0])
            .collect(Collectors.joining());
    List<String> named =
        Stream.concat(
                Pattern.compile("(?m)^    ([a-z][a-z |-]*)\\)").matcher(choice).results(),
                Pattern.compile("`([a-z-]+)`").matcher(heads).results())
            .flatMap(match -> Stream.of(match.group(1).split(" \\| ")))
            .toList();

    assertThat(named).contains("serve");
    assertThat(postrider.getSubcommands()).containsKeys(named.toArray(String[]::new));
  }

  @Test
  void the_commands_for_developers_name_tests_and_programs_that_exist() {
    for (Path script : Documents.files(Documents.ROOT.resolve("dev"), 1, "")) {
      String text = Documents.read(script);
      assertThat(Files.isExecutable(script)).as("%s can be run", script).isTrue();
      properties(script, text.replaceAll("(?m)^#.*$", ""));
      Pattern.compile("\\bdev\\.postrider(\\.\\w+)+")
          .matcher(text)
          .results()
          .map(type -> type.group().replace('.', '/') + ".java")
          .filter(type -> Documents.sources().keySet().stream().noneMatch(f -> f.endsWith(type)))
          .forEach(type -> wrong.add(script.getFileName() + " names " + type));
    }
    assertThat(wrong).as("what scripts name and is not there").isEmpty();
  }

  /** A command in a sentence: not always whole, but its words and options exist. */
  private void named(Path page, String text) {
    List<String> words = new Command(page, text, "").words();
    String program = words.getFirst();
    if (program.startsWith("dev/")) {
      Path script = Documents.ROOT.resolve(program);
      if (!Files.isExecutable(script)) {
        wrong.add(text + " (" + Documents.ROOT.relativize(page) + ")");
        return;
      }
      for (String word : words) {
        if (word.startsWith("--") && !Documents.read(script).contains(word)) {
          wrong.add(word + " of " + text + " (" + Documents.ROOT.relativize(page) + ")");
        }
      }
    } else if (program.endsWith("check")) {
      properties(page, text);
    } else {
      for (String one : alternatives(text)) {
        walk(page, one);
      }
    }
  }

  /** {@code inbound list|show} is two commands. */
  private static List<String> alternatives(String text) {
    int bar = text.indexOf('|');
    if (bar < 0) {
      return List.of(text);
    }
    String before = text.substring(0, text.lastIndexOf(' ', bar) + 1);
    return Stream.of(text.substring(before.length()).split("\\|")).map(before::concat).toList();
  }

  private void walk(Path page, String text) {
    CommandLine command = postrider;
    List<String> words = new Command(page, text, "").words();
    for (String word : words.subList(1, words.size())) {
      String problem = null;
      if (word.startsWith("-")) {
        if (!command.getCommandSpec().optionsMap().containsKey(word.split("=")[0])) {
          problem = "no option " + word;
        }
      } else if (!command.getSubcommands().isEmpty()) {
        CommandLine next = command.getSubcommands().get(word);
        problem = next == null ? "no command " + word : null;
        command = next == null ? command : next;
      }
      if (problem != null) {
        wrong.add(problem + ": " + text + " (" + Documents.ROOT.relativize(page) + ")");
        return;
      }
    }
  }

  /** Properties on Maven's command line: tests that exist, modules, and switches somebody reads. */
  private void properties(Path page, String text) {
    String code = SOURCES;
    for (MatchResult property : PROPERTY.matcher(text).results().toList()) {
      String value = property.group(2) == null ? "" : property.group(2).replace("'", "");
      if (property.group(1).equals("test")) {
        for (String test : value.split(",")) {
          Pattern name = Pattern.compile("\\bclass \\w*" + test.replace("*", "\\w*") + "\\b");
          if (!name.matcher(code).find()) {
            wrong.add("no test " + test + ": " + page);
          }
        }
      } else if (property.group(1).matches("(postrider|golden)\\..*")
          && !code.contains('"' + property.group(1) + '"')) {
        wrong.add("nobody reads " + property.group(1) + ": " + page);
      }
    }
    Pattern.compile("-pl (\\S+)")
        .matcher(text)
        .results()
        .flatMap(modules -> Stream.of(modules.group(1).replaceAll("['!]", "").split(",")))
        .filter(module -> !Files.exists(Documents.ROOT.resolve(module).resolve("pom.xml")))
        .forEach(module -> wrong.add("no module " + module + ": " + page));
  }

  private static final String SOURCES =
      Documents.sources().values().stream().collect(Collectors.joining("\n"));
}
