package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.postrider.testkit.internal.crash.KillHarness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A server is killed with SIGKILL while its sidecar has a message and has not answered. The sidecar
 * here is a script that records, on the protocol's part of the one for Zalo.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SidecarKillTest {
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private static final Path PROTOCOL =
      Path.of("../sidecars/zalo-personal/protocol.mjs").toAbsolutePath().normalize();

  private static final String SIDECAR =
      """
      import { spawnSync } from 'node:child_process';
      import { appendFileSync, existsSync, readFileSync } from 'node:fs';
      import { serve, tell } from '%s';

      const record = process.argv[2];
      const write = (line) => appendFileSync(record, `${line}\\n`);
      const utf8 = { encoding: 'utf8' };
      const state = (pid) => spawnSync('ps', ['-o', 'stat=', '-p', pid], utf8).stdout;
      const runs = (pid) => /^[^Z]/.test(state(pid)); // Z: ended, and not yet asked after
      const before = existsSync(record) ? readFileSync(record, 'utf8') : '';
      for (const [, pid] of before.matchAll(/^start (\\d+)/gm)) {
        if (runs(pid)) write('two at once');
      }
      write(`start ${process.pid}`);
      serve({
        hello({ session }) {
          write(`hello ${session ?? 'for the first time'}`);
          setImmediate(() => {
            tell('session', { session: 'of last time' });
            tell('state', { state: 'ready', identity: 'me' });
          });
          return { protocol: 1 };
        },
        ping: () => ({}),
        send({ text }) {
          write(`send ${text}`);
          return existsSync(`${record}.killed`) ? { messageId: text } : new Promise(() => {});
        },
      });
      """;

  @TempDir Path folder;

  private List<String> recorded(String what) throws IOException {
    Path record = folder.resolve("record");
    return !Files.exists(record)
        ? List.of()
        : Files.readAllLines(record).stream()
            .filter(line -> line.startsWith(what + " "))
            .map(line -> line.substring(what.length() + 1))
            .toList();
  }

  @Test
  void a_killed_server_leaves_no_sidecar_and_its_session_and_messages_go_on() throws Exception {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
    Path script =
        Files.writeString(folder.resolve("sidecar.mjs"), SIDECAR.formatted(PROTOCOL.toUri()));

    List<JsonNode> messages;
    try (KillHarness.Life life =
        new KillHarness(folder)
            .begin(
                "  - { id: zalo, channel: zalo-personal, command: [node, '%s', '%s'] }"
                    .formatted(script, folder.resolve("record")))) {
      String first = life.send("zalo", "42", "first");
      String second = life.send("zalo", "42", "second");
      while (recorded("send").isEmpty()) {
        LockSupport.parkNanos(LOOK_EVERY.toNanos());
      }
      life.kill();
      Files.createFile(folder.resolve("record.killed"));
      life.startAgain();
      messages = List.of(life.ended(first), life.ended(second));
    }

    assertThat(recorded("two")).isEmpty();
    assertThat(recorded("start")).hasSize(2);
    assertThat(recorded("hello")).containsExactly("for the first time", "of last time");
    assertThat(recorded("send")).containsExactly("first", "first", "second");
    assertThat(messages)
        .extracting(message -> message.path("status").asString(""))
        .containsOnly("delivered");
    assertThat(messages)
        .extracting(message -> message.path("possibleDuplicate").asBoolean())
        .containsExactly(true, false);
  }
}
