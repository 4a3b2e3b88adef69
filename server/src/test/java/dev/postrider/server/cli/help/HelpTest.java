package dev.postrider.server.cli.help;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.server.Documents;
import dev.postrider.server.cli.CommandsForTests;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class HelpTest {
  private static final String BEGIN = "<!-- written from the commands -->\n";
  private static final Path PAGE = Documents.ROOT.resolve("docs/command-line.md");

  private final CommandLine root = CommandsForTests.all();

  @Test
  void every_command_says_what_it_does_and_shows_an_example_that_is_understood() {
    List<CommandLine> all = commands(root).toList();
    assertThat(all).hasSizeGreaterThan(60);
    for (CommandLine command : all) {
      String name = command.getCommandSpec().qualifiedName();
      String help = command.getUsageMessage(CommandLine.Help.Ansi.OFF);
      assertThat(help).as(name).contains("Example:");
      assertThat(command.getCommandSpec().usageMessage().description()).as(name).isNotEmpty();
      String[] footer = command.getCommandSpec().usageMessage().footer();
      String example = (command.getParent() == null ? footer[2] : footer[0]).strip();
      assertThat(example).as(name).matches("(source <\\()?postrider .*");
      if (example.startsWith("postrider")) {
        CommandsForTests.all().parseArgs(words(example));
      }
    }
  }

  @Test
  void options_and_parameters_say_what_they_are_for() {
    commands(root)
        .flatMap(command -> command.getCommandSpec().options().stream())
        .forEach(
            option ->
                assertThat(String.join("", option.description()))
                    .as(option.longestName())
                    .isNotBlank()
                    .doesNotContain("${"));
  }

  @Test
  void the_manual_page_has_every_command_and_renders_without_a_warning() throws Exception {
    String page = CommandsForTests.printed("man");
    assertThat(page).startsWith(".TH POSTRIDER 1").contains(".SH NAME", ".SH EXIT STATUS");
    for (Reference command : Reference.all(root)) {
      assertThat(page).contains(".SS \"" + command.name().replace("-", "\\-"));
    }
    assertThat(page.lines()).noneMatch(line -> line.startsWith("'") || line.isEmpty());

    assumeTrue(Files.isExecutable(Path.of("/usr/bin/groff")), "groff is not here");
    Output output = run(page, "groff", "-man", "-Tutf8", "-ww", "-Wbreak", "-P-cbou");
    assertThat(output.err()).isEmpty();
    assertThat(output.out()).contains("postrider dead-letters replay", "EXIT STATUS");
  }

  @Test
  void the_page_of_all_commands_is_written_from_them() throws Exception {
    String page = Files.readString(PAGE);
    String head = page.substring(0, page.indexOf(BEGIN) + BEGIN.length());
    String wanted = head + markdown();
    if ("write".equals(System.getProperty("postrider.commands"))) {
      Files.writeString(PAGE, wanted);
    }
    assertThat(Files.readString(PAGE))
        .as("run this test with -Dpostrider.commands=write, and read the diff")
        .isEqualTo(wanted);
  }

  @Test
  void bash_completes_commands_options_words_and_what_the_server_has(@TempDir Path dir)
      throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "bash is not here");
    String script = CommandsForTests.printed("completion", "bash");
    Path fake = Files.writeString(dir.resolve("postrider"), "#!/bin/sh\necho live-$2\n");
    assertThat(fake.toFile().setExecutable(true)).isTrue();

    assertThat(completed(script, dir, "sen")).containsExactly("send");
    assertThat(completed(script, dir, "messages", "ca")).containsExactly("cancel");
    assertThat(completed(script, dir, "messages", "list", "--sta")).containsExactly("--status");
    assertThat(completed(script, dir, "messages", "list", "--status", "qu"))
        .containsExactly("queued");
    assertThat(completed(script, dir, "waiting", "--kind", "q")).containsExactly("quietHours");
    assertThat(completed(script, dir, "waiting", "--kind", "ot"))
        .containsExactly("otherNode", "other");
    assertThat(completed(script, dir, "lanes", "list", "--waiting-for", "q"))
        .containsExactly("quietHours");
    assertThat(completed(script, dir, "runs", "targets", "x", "--status", "su"))
        .containsExactly("suppressed");
    assertThat(completed(script, dir, "send", "--account", "")).containsExactly("live-accounts");
    assertThat(completed(script, dir, "send", "--to", "")).containsExactly("live-chats");
    assertThat(completed(script, dir, "lanes", "pause", "")).containsExactly("live-accounts");
    assertThat(completed(script, dir, "messages", "show", "")).containsExactly("live-messages");
    assertThat(completed(script, dir, "dead-letters", "replay", ""))
        .containsExactly("live-deadletters");
    assertThat(completed(script, dir, "reminders", "fire", "")).containsExactly("live-reminders");
    assertThat(completed(script, dir, "runs", "watch", "")).containsExactly("live-runs");
    assertThat(completed(script, dir, "runs", "resume", "x", "--scope", "f"))
        .containsExactly("failed");
    assertThat(completed(script, dir, "serve", "--config", "")).isEmpty();
  }

  private static List<String> completed(String script, Path dir, String... words) throws Exception {
    StringBuilder all = new StringBuilder("COMP_WORDS=(" + dir.resolve("postrider"));
    Stream.of(words).forEach(word -> all.append(" '").append(word).append("'"));
    all.append(")\nCOMP_CWORD=").append(words.length).append('\n');
    Output output =
        run(
            script + all + "_postrider\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n",
            "/bin/bash",
            "--norc",
            "-s");
    assertThat(output.err()).isEmpty();
    return output.out().lines().filter(line -> !line.isBlank()).toList();
  }

  private record Output(String out, String err) {}

  private static Output run(String input, String... command) throws Exception {
    Path err = Files.createTempFile("stderr", ".txt");
    Path in = Files.writeString(Files.createTempFile("stdin", ".txt"), input);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(in.toFile())
              .redirectError(err.toFile())
              .start();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return new Output(out, Files.readString(err));
    } finally {
      Files.delete(err);
      Files.delete(in);
    }
  }

  private static Stream<CommandLine> commands(CommandLine command) {
    return Stream.concat(
        Stream.of(command), command.getSubcommands().values().stream().flatMap(HelpTest::commands));
  }

  /** The words of an example as a shell reads them, up to where its output goes. */
  private static String[] words(String example) {
    List<String> words = new ArrayList<>();
    var matcher = java.util.regex.Pattern.compile("'([^']*)'|(\\S+)").matcher(example);
    while (matcher.find() && !">".equals(matcher.group())) {
      words.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
    }
    return words.subList(1, words.size()).toArray(String[]::new);
  }

  private String markdown() {
    StringBuilder text = new StringBuilder();
    for (Reference command : Reference.all(root)) {
      boolean group = command.words().equals("COMMAND");
      text.append(command.name().indexOf(' ', 10) < 0 ? "\n## `" : "\n### `");
      text.append((command.name() + " " + (group ? "" : command.words())).strip()).append("`\n\n");
      text.append(String.join(" ", command.sentences())).append("\n");
      if (!group) {
        items(text, command.parameters());
        items(text, command.options());
        command.examples().forEach(e -> text.append("\nExample: `").append(e).append("`\n"));
      }
    }
    text.append("\n## Options of every command\n");
    items(text, Reference.everywhere(root));
    text.append("\n## Options of commands that speak to a server\n");
    items(text, Reference.speaking(root));
    return text.toString();
  }

  private static void items(StringBuilder text, List<Reference.Item> items) {
    text.append(items.isEmpty() ? "" : "\n");
    items.forEach(
        item ->
            text.append("- `%s`: %s\n".formatted(item.name(), item.about().replace("|", "\\|"))));
  }
}
