package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.server.log.LogCapture;
import dev.postrider.server.tls.TestCertificate;
import dev.postrider.testkit.internal.debian.DebianPackages;
import dev.postrider.testkit.internal.net.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The files of {@code deploy/}, run with another port, name and certificate: nginx and Caddy from
 * Debian's packages ({@code -Dpostrider.peers=skip} skips them) before a real server.
 */
class DeploymentTest {
  private static final Path FILES = Path.of("..", "deploy");
  private static final String SECRET = "ruling-the-server-for-good";
  private static final int SECONDS = 300;

  @TempDir Path dir;
  private final int port = FreePort.find();
  private TestServer server;
  private TestCertificate certificate;

  @BeforeEach
  void start() {
    certificate = TestCertificate.make(dir.resolve("tls"), "EC", 365);
    server =
        TestServer.start(
            dir,
            ("http: { trustedProxies: [127.0.0.1], tokens: [ { name: ops, secret: %s,"
                    + " role: admin } ] }")
                .formatted(SECRET));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void nginx_with_our_file_passes_everything_on() throws Exception {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
    Path nginx = DebianPackages.unpack("nginx", "nginx").resolve("usr/sbin/nginx");
    Path home = Files.createDirectory(dir.resolve("nginx"));
    Path site =
        changed(
            "nginx.conf",
            "127.0.0.1:8080",
            "127.0.0.1:" + server.port(),
            "listen 443 ",
            "listen 127.0.0.1:" + port + " ",
            "/etc/ssl/postrider/certificate.pem",
            certificate.certificate().toString(),
            "/etc/ssl/postrider/key.pem",
            certificate.key().toString());
    Path config =
        Files.writeString(
            home.resolve("nginx.conf"),
            """
            daemon off;
            master_process off;
            pid %1$s/pid;
            error_log %1$s/log;
            events {}
            http {
              access_log off;
              client_body_temp_path %1$s/body;
              proxy_temp_path %1$s/proxy;
              fastcgi_temp_path %1$s/fastcgi;
              uwsgi_temp_path %1$s/uwsgi;
              scgi_temp_path %1$s/scgi;
              include %2$s;
            }
            """
                .formatted(home, site));

    behind(List.of(nginx.toString(), "-c", config.toString(), "-e", home + "/log"));
  }

  @Test
  void caddy_with_our_file_passes_everything_on() throws Exception {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
    Path caddy = DebianPackages.unpack("caddy", "caddy").resolve("usr/bin/caddy");
    Path site =
        changed(
            "Caddyfile",
            "postrider.example.org {",
            "{\n\tadmin off\n\tauto_https disable_redirects\n}\nhttps://localhost:%d {\n\ttls %s %s"
                .formatted(port, certificate.certificate(), certificate.key()),
            "127.0.0.1:8080",
            "127.0.0.1:" + server.port());

    behind(List.of(caddy.toString(), "run", "--adapter", "caddyfile", "--config", site.toString()));
  }

  @Test
  void systemd_finds_nothing_wrong_with_our_units() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/systemd-analyze")), "no systemd here");
    List<String> verify = new ArrayList<>(List.of("systemd-analyze", "verify", "--man=no"));
    for (String name :
        List.of("postrider.service", "postrider-backup.service", "postrider-backup.timer")) {
      String launcher = Path.of("..", "packaging", "launcher", "postrider").toRealPath().toString();
      Path unit =
          name.endsWith(".timer")
              ? changed(name)
              : changed(name, "=/opt/postrider/bin/postrider ", "=" + launcher + " ");
      verify.add(Files.move(unit, dir.resolve(name)).toString());
    }

    assertThat(run(verify.toArray(String[]::new)).lines())
        .filteredOn(line -> line.contains("postrider"))
        .isEmpty();
  }

  /** Everything a client does, through a proxy. */
  private void behind(List<String> proxy) throws Exception {
    Path out = dir.resolve("proxy.log");
    ProcessBuilder builder =
        new ProcessBuilder(proxy).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().put("HOME", dir.toString());
    builder.environment().put("XDG_DATA_HOME", dir.toString());
    builder.environment().put("XDG_CONFIG_HOME", dir.toString());
    Process process = builder.start();
    try (LogCapture log = new LogCapture()) {
      awaitListening(process, out);

      assertThat(curl("/healthz", "--http2")).endsWith("\n200 2");
      assertThat(curl("/v1/stats", "--http1.1")).endsWith("\n200 1.1");
      assertThat(run("curl", "-sS", "-k", front() + "/v1/stats")).contains("A token is needed");
      assertThat(curl("/v1/inbound/lease", "--json", "{\"wait\":\"3s\"}"))
          .contains("{\"items\":[]}");
      Path file = Files.write(dir.resolve("file"), new byte[20_000_000]);
      assertThat(
              curl(
                  "/v1/media",
                  "-HContent-Type: application/octet-stream",
                  "--data-binary",
                  "@" + file))
          .contains("\n201 ");
      eventsArriveWhenTheyHappen();

      assertThat(
              curl(
                  "/v1/accounts/sandbox/pause",
                  "-XPOST",
                  "--interface",
                  "127.0.0.2",
                  "-HX-Forwarded-For: 192.0.2.99"))
          .contains("\n200 ");
      assertThat(log.json())
          .filteredOn(line -> line.contains("operator.action"))
          .singleElement()
          .asString()
          .contains("\"address\":\"127.0.0.2\"");
    } finally {
      process.destroy();
      process.waitFor();
    }
  }

  private void eventsArriveWhenTheyHappen() throws Exception {
    Process events =
        new ProcessBuilder(
                command("/v1/events?types=message.delivered", "-N", "--max-time", "" + SECONDS))
            .redirectErrorStream(true)
            .start();
    try (BufferedReader lines = events.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lines.readLine()).isEqualTo("retry: 2000");
      assertThat(
              curl(
                  "/v1/messages",
                  "--json",
                  "{\"account\":\"sandbox\",\"to\":\"a\",\"text\":\"x\"}"))
          .contains("\n202 ");
      String line = lines.readLine();
      while (line != null && !line.startsWith("event:")) {
        line = lines.readLine();
      }
      assertThat(line).isEqualTo("event: message.delivered"); // and the stream goes on
    } finally {
      events.destroyForcibly();
    }
  }

  /** A file of ours with some words replaced, each of which must be there. */
  private Path changed(String name, String... replaced) throws IOException {
    String text = Files.readString(FILES.resolve(name));
    for (int i = 0; i < replaced.length; i += 2) {
      assertThat(text).contains(replaced[i]);
      text = text.replace(replaced[i], replaced[i + 1]);
    }
    return Files.writeString(dir.resolve("changed-" + name), text);
  }

  private String front() {
    return "https://localhost:" + port;
  }

  private List<String> command(String path, String... more) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "curl",
                "-sS",
                "--ipv4",
                "--cacert",
                certificate.authority().toString(),
                "-HAuthorization: Bearer " + SECRET));
    command.addAll(List.of(more));
    command.add(front() + path);
    return command;
  }

  /** The body, and status and version on a line of their own. */
  private String curl(String path, String... more) throws Exception {
    List<String> command = command(path, more);
    command.addAll(1, List.of("-w", "\n%{http_code} %{http_version}"));
    return run(command.toArray(String[]::new));
  }

  private String run(String... command) throws Exception {
    Path out = Files.createTempFile(dir, "out", "");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    String text = Files.readString(out);
    assertThat(ended).as(text).isTrue();
    assertThat(process.exitValue()).as(String.join(" ", command) + "\n" + text).isZero();
    return text;
  }

  private void awaitListening(Process process, Path out) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (true) {
      try (Socket _ = new Socket("127.0.0.1", port)) {
        return;
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() > end) {
          throw new IOException("it did not start:\n" + Files.readString(out), e);
        }
        TimeUnit.MILLISECONDS.sleep(20); // another program's start: there is nothing to wait on
      }
    }
  }
}
