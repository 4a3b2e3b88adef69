package dev.postrider.testkit.internal.peers;

import dev.postrider.testkit.internal.debian.DebianPackages;
import dev.postrider.testkit.internal.net.FreePort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An IRC server that somebody else wrote, from Debian's packages. */
public final class IrcServer implements AutoCloseable {
  private static final int MINUTES_TO_START = 2;

  private final Path folder;
  private final List<String> command;
  private final String libraries;
  private final int port;
  private @Nullable Process process;

  private IrcServer(Path folder, List<String> command, String libraries, int port) {
    this.folder = folder;
    this.command = command;
    this.libraries = libraries;
    this.port = port;
  }

  /**
   * InspIRCd with labels, echoes, message ids and times. Clients may say as much as they like, but
   * on {@link Inspircd#strictPort} are thrown out for flooding, and on {@link Inspircd#slowPort}
   * are read ever more slowly.
   *
   * @param server where it listens
   */
  public record Inspircd(IrcServer server, int strictPort, int slowPort, int tlsPort)
      implements AutoCloseable {
    @Override
    public void close() {
      server.close();
    }
  }

  /**
   * Starts InspIRCd.
   *
   * @param certificate with {@code key} what it shows on {@code tlsPort}; null for no TLS
   */
  public static Inspircd inspircd(Path folder, @Nullable Path certificate, @Nullable Path key)
      throws IOException {
    Path root = DebianPackages.unpack("inspircd", "inspircd");
    int port = FreePort.find();
    int strict = FreePort.find();
    int slow = FreePort.find();
    int tls = FreePort.find();
    String config =
        """
        <server name="irc.example.test" description="Test" network="TestNet">
        <admin name="A" nick="a" email="a@example.test">
        <path moduledir="{root}/usr/lib/inspircd/modules" configdir="{folder}"
              datadir="{folder}" logdir="{folder}" runtimedir="{folder}">
        <bind address="127.0.0.1" port="{strict}" type="clients">
        <bind address="127.0.0.1" port="{slow}" type="clients">
        <bind address="127.0.0.1" port="{port}" type="clients">
        <connect name="strict" port="{strict}" allow="*" threshold="8" commandrate="1000"
                 fakelag="no" localmax="100" globalmax="100" resolvehostnames="no">
        <connect name="slow" port="{slow}" allow="*" threshold="8" commandrate="1000"
                 fakelag="yes" localmax="100" globalmax="100" resolvehostnames="no">
        <connect name="patient" allow="*" threshold="100000" commandrate="100000000"
                 fakelag="no" localmax="100" globalmax="100" resolvehostnames="no">
        <options casemapping="rfc1459">
        <security hidebans="no">
        <performance nouserdns="yes">
        """;
    for (String module :
        List.of(
            "cap",
            "ircv3",
            "ircv3_accounttag",
            "ircv3_batch",
            "ircv3_capnotify",
            "ircv3_ctctags",
            "ircv3_echomessage",
            "ircv3_labeledresponse",
            "ircv3_msgid",
            "ircv3_servertime")) {
      config += "<module name=\"" + module + "\">\n";
    }
    if (certificate != null && key != null) {
      config +=
          """
          <module name="ssl_gnutls">
          <sslprofile name="own" provider="gnutls" certfile="{certificate}" keyfile="{key}">
          <bind address="127.0.0.1" port="{tls}" type="clients" sslprofile="own">
          """
              .replace("{certificate}", certificate.toString())
              .replace("{key}", key.toString())
              .replace("{tls}", "" + tls);
    }
    Files.writeString(
        folder.resolve("inspircd.conf"),
        config
            .replace("{root}", root.toString())
            .replace("{folder}", folder.toString())
            .replace("{strict}", "" + strict)
            .replace("{slow}", "" + slow)
            .replace("{port}", "" + port));
    IrcServer server =
        new IrcServer(
            folder,
            List.of(
                root.resolve("usr/sbin/inspircd").toString(),
                "--config=" + folder.resolve("inspircd.conf"),
                "--nofork",
                "--nolog",
                "--runasroot"),
            "",
            port);
    server.start();
    return new Inspircd(server, strict, slow, tls);
  }

  /** Starts ngIRCd, which knows nothing of labels and echoes. */
  public static IrcServer ngircd(Path folder) throws IOException {
    Path root = DebianPackages.unpack("ngircd", "ngircd", "libident");
    int port = FreePort.find();
    Files.writeString(
        folder.resolve("ngircd.conf"),
        """
        [Global]
        Name = irc.example.test
        Info = Test
        Listen = 127.0.0.1
        Ports = %d
        MotdPhrase = hello
        [Limits]
        MaxConnectionsIP = 0
        MaxNickLength = 20
        [Options]
        Ident = no
        DNS = no
        PAM = no
        """
            .formatted(port));
    try (Stream<Path> libraries = Files.walk(root.resolve("usr/lib"))) {
      Path ident =
          libraries.filter(file -> file.endsWith("libident.so.0")).findFirst().orElseThrow();
      IrcServer server =
          new IrcServer(
              folder,
              List.of(
                  root.resolve("usr/sbin/ngircd").toString(),
                  "-n",
                  "-f",
                  folder.resolve("ngircd.conf").toString()),
              String.valueOf(ident.getParent()),
              port);
      server.start();
      return server;
    }
  }

  public int port() {
    return port;
  }

  /** Starts it, also again after {@link #close}, and returns once it can be reached. */
  public void start() throws IOException {
    Path log = folder.resolve("server.log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("LD_LIBRARY_PATH", libraries);
    Process started = builder.start();
    process = started;
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES_TO_START);
    while (!isReached()) {
      if (!started.isAlive() || System.nanoTime() > end) {
        close();
        throw new IOException("the IRC server does not start:\n" + Files.readString(log));
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  /** It listens some time before it answers. */
  private boolean isReached() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
      socket.setSoTimeout(1000);
      socket.getOutputStream().write("CAP LS\r\n".getBytes(StandardCharsets.UTF_8));
      return socket.getInputStream().read() >= 0;
    } catch (IOException _) {
      return false;
    }
  }

  /** Stops it in its tracks: who connects is not answered. */
  public void freeze() throws IOException {
    signal("STOP");
  }

  /** Lets a frozen one go on. */
  public void thaw() throws IOException {
    signal("CONT");
  }

  private void signal(String name) throws IOException {
    Process running = process;
    if (running != null) {
      new ProcessBuilder("sh", "-c", "kill -" + name + " " + running.pid()).start().onExit().join();
    }
  }

  /** Ends it as if the power had failed. */
  @Override
  public void close() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly().onExit().join();
    }
  }
}
