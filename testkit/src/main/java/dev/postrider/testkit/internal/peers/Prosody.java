package dev.postrider.testkit.internal.peers;

import dev.postrider.testkit.internal.debian.DebianPackages;
import dev.postrider.testkit.internal.net.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Prosody, an XMPP server, from Debian's packages: the domain {@code localhost} with the accounts
 * bot, ann, ben and cleo, rooms at {@code rooms.localhost}, of which one is always there, and a
 * place for files. It keeps archives, which can be read on its disk.
 */
public final class Prosody implements AutoCloseable {
  /** Of every account. */
  public static final String PASSWORD = "correct horse";

  /** A room that outlives those who are in it. */
  public static final String ROOM = "hall@rooms.localhost";

  private static final int MINUTES_TO_START = 2;

  private final Path root;
  private final Path folder;
  private final int port = FreePort.find();
  private final int tlsPort = FreePort.find();
  private final int webPort = FreePort.find();
  private @Nullable Process process;

  private Prosody(Path root, Path folder) {
    this.root = root;
    this.folder = folder;
  }

  /** Starts one whose data is in an empty folder. */
  public static Prosody start(Path folder) throws IOException {
    Path root =
        DebianPackages.unpack(
            "prosody",
            "prosody",
            "lua5.4",
            "liblua5.4-0",
            "lua-expat",
            "lua-filesystem",
            "lua-sec",
            "lua-socket",
            "libicu72",
            "libexpat1");
    Prosody server = new Prosody(root, folder);
    server.configure();
    server.start();
    return server;
  }

  public int port() {
    return port;
  }

  /** Where TLS begins with the connection. */
  public int tlsPort() {
    return tlsPort;
  }

  /** What it shows to whoever asks for TLS; nobody vouches for it. */
  public Path certificate() {
    return folder.resolve("certificate.pem");
  }

  /** What it has kept of an account's messages, as it is on its disk. */
  public String archive(String user) throws IOException {
    return kept("data/localhost/archive/" + user + ".list");
  }

  /** What it has kept of what was said in {@link #ROOM}. */
  public String roomArchive() throws IOException {
    return kept("data/rooms%2elocalhost/muc_log/hall.list");
  }

  private String kept(String name) throws IOException {
    Path file = folder.resolve(name);
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private void configure() throws IOException {
    Path accounts = Files.createDirectories(folder.resolve("data/localhost/accounts"));
    for (String user : List.of("bot", "ann", "ben", "cleo")) {
      Files.writeString(
          accounts.resolve(user + ".dat"), "return { [\"password\"] = \"" + PASSWORD + "\"; };\n");
    }
    Path rooms = Files.createDirectories(folder.resolve("data/rooms%2elocalhost/config"));
    Files.writeString(
        rooms.resolve("hall.dat"),
        "return { [\"_jid\"] = \"" + ROOM + "\"; [\"_data\"] = { [\"persistent\"] = true; }; };\n");
    Files.writeString(
        rooms.resolveSibling("persistent.dat"), "return { [\"" + ROOM + "\"] = true; };\n");
    certify();
    String source = Files.readString(root.resolve("usr/bin/prosody"));
    Files.writeString(
        folder.resolve("prosody.lua"), source.replace("'/usr/lib", "'" + root + "/usr/lib"));
    Files.writeString(
        folder.resolve("prosody.cfg.lua"),
        """
        data_path = "{folder}/data"
        certificates = "{folder}"
        log = { { levels = { min = "info" }, to = "console" } }
        interfaces = { "127.0.0.1" }
        c2s_ports = { {port} }
        c2s_direct_tls_ports = { {tlsPort} }
        http_ports = { {webPort} }
        https_ports = {}
        http_interfaces = { "127.0.0.1" }
        authentication = "internal_plain"
        storage = "internal"
        c2s_require_encryption = false
        modules_enabled = {
          "roster", "saslauth", "tls", "disco", "carbons", "ping", "smacks", "mam", "offline"
        }
        modules_disabled = { "s2s", "posix" }
        run_as_root = true
        ssl = { key = "{folder}/key.pem", certificate = "{folder}/certificate.pem" }
        VirtualHost "localhost"
        Component "rooms.localhost" "muc"
          modules_enabled = { "muc_mam" }
        Component "files.localhost" "http_file_share"
          http_host = "127.0.0.1"
          http_external_url = "http://127.0.0.1:{webPort}/"
          http_file_share_size_limit = 100000
        """
            .replace("{folder}", folder.toString())
            .replace("{port}", "" + port)
            .replace("{tlsPort}", "" + tlsPort)
            .replace("{webPort}", "" + webPort));
  }

  private void certify() throws IOException {
    Path store = folder.resolve("key.p12");
    run(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-genkeypair",
        "-alias",
        "own",
        "-keyalg",
        "EC",
        "-dname",
        "CN=localhost",
        "-ext",
        "SAN=dns:localhost,dns:rooms.localhost,dns:files.localhost",
        "-validity",
        "2",
        "-keystore",
        store.toString(),
        "-storetype",
        "PKCS12",
        "-storepass",
        "hush-hush");
    try (InputStream file = Files.newInputStream(store)) {
      char[] password = "hush-hush".toCharArray();
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(file, password);
      pem("key.pem", "PRIVATE KEY", keys.getKey("own", password).getEncoded());
      pem("certificate.pem", "CERTIFICATE", keys.getCertificate("own").getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private void pem(String name, String what, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    Files.writeString(
        folder.resolve(name),
        "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }

  private static void run(String... command) throws IOException {
    try {
      Process running = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (running.waitFor() != 0) {
        throw new IOException(said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Starts it, also again after {@link #stop}, and returns once it can be reached. */
  public void start() throws IOException {
    Path libraries = root.resolve("usr/lib/x86_64-linux-gnu");
    Path log = folder.resolve("prosody.log");
    ProcessBuilder builder =
        new ProcessBuilder(
                root.resolve("usr/bin/lua5.4").toString(),
                folder.resolve("prosody.lua").toString(),
                "--config",
                folder.resolve("prosody.cfg.lua").toString(),
                "-F",
                "--root")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder
        .environment()
        .putAll(
            Map.of(
                "LD_LIBRARY_PATH",
                libraries.toString(),
                "LUA_PATH",
                root.resolve("usr/share/lua/5.4/?.lua").toString(),
                "LUA_CPATH",
                libraries.resolve("lua/5.4/?.so").toString()));
    Process started = builder.start();
    process = started;
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES_TO_START);
    while (!isReached()) {
      if (!started.isAlive() || System.nanoTime() > end) {
        close();
        throw new IOException("Prosody does not start:\n" + Files.readString(log));
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private boolean isReached() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /** Ends it as if the power had failed. */
  public void stop() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly().onExit().join();
    }
  }

  @Override
  public void close() {
    stop();
  }
}
