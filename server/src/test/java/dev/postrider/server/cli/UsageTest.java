package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {
  private final Shell shell = new Shell();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "sned| Did you mean send?",
        "mesages| Did you mean messages?",
        "messages lst| Did you mean list?",
        "status --wacth| Did you mean --watch?",
        "send --acount sandbox| Did you mean --account?",
        "messages list --status faild| did you mean 'failed'?",
        "send --account a --to b --text x --priority bluk| did you mean 'bulk'?",
        "waiting --kind retyr| did you mean 'retry'?",
        "runs targets x --status supressed| did you mean 'suppressed'?",
        "messages| Say what to do: cancel, list, receipts, retry, show.",
        "version now| 'now' is one word too many.",
      })
  void what_was_probably_meant_is_said(String command, String hint) {
    assertThat(shell.run(command.split(" "))).isEqualTo(2);
    assertThat(shell.err).contains(hint, "--help' tells more.");
    assertThat(shell.out).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "send",
        "send --account a --to b --text x --wait soon",
        "send --account a --to b --text x --expires-in later",
        "send --account a --to b --text x --max-attempts many",
        "send --account a --to b --media no-such-file.jpg",
        "send --account a --to b --text x --metadata nothing",
        "messages list --limit few",
        "send --account a --to b --text x --send-at tomorrow",
        "send --account a --to b --media .",
        "messages list --until 2026-13-40T00:00:00Z",
        "messages cancel --since blah",
        "messages retry --since 2026-11-20T09:00:00",
        "dead-letters replay --until 6hours",
        "hold --taken blah",
        "waiting --kind sleep",
        "lanes list --waiting-for sleep",
        "messages cancel",
        "lanes list --state asleep",
        "status --color sometimes",
        "status --url nonsense",
        "status --url ftp://127.0.0.1",
        "status --url https://127.0.0.1:1 --every soon",
        "reminders create --file no-such-file.yaml",
        "reminders create --file .",
        "reminders update x --file no-such-file.yaml",
        "reminders preview --file no-such-file.yaml",
        "reminders import x --file no-such-file.csv",
        "reminders import x --file .",
        "restore no-such-file.zip",
        "import jsonl .",
        "serve --config .",
        "import jsonl no-such-file.jsonl",
        "serve --config no-such-file.yaml",
        "doctor --config no-such-file.yaml",
        "migrate-store --from sqlite:a --to sqlite:a",
      })
  void wrong_usage_is_exit_code_2(String command) {
    shell.environment.put("POSTRIDER_URL", "http://127.0.0.1:1");

    assertThat(shell.run(command.split(" "))).as(shell.err).isEqualTo(2);
    assertThat(shell.err).isNotBlank().doesNotContain("This should not have happened");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"status", "ready", "messages list", "channels", "waiting", "audit", "lanes list"})
  void a_server_that_is_not_there_is_exit_code_3(String command) {
    shell.environment.put("POSTRIDER_URL", "http://127.0.0.1:1");

    assertThat(shell.run(command.split(" "))).isEqualTo(3);
    assertThat(shell.err).contains("No server answers at http://127.0.0.1:1");
  }
}
