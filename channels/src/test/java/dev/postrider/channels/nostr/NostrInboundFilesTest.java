package dev.postrider.channels.nostr;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Network;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that somebody has put somewhere, encrypted. */
class NostrInboundFilesTest {
  private static final NostrKey BOB = GiftWrapsTest.key(22);
  private static final byte[] KEY = new byte[32];
  private static final byte[] NONCE = new byte[12];

  private HttpServer server;
  private byte[] stored;

  @BeforeEach
  void start() throws Exception {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.ENCRYPT_MODE, new SecretKeySpec(KEY, "AES"), new GCMParameterSpec(128, NONCE));
    stored = cipher.doFinal("bytes of a file".getBytes(UTF_8));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, stored.length);
          exchange.getResponseBody().write(stored);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String read(String algorithm, long largest, List<Network> reachable) throws IOException {
    MediaSettings usual = MediaSettings.DEFAULTS;
    MediaSettings media =
        new MediaSettings(
            largest, usual.keepUnused(), Duration.ofMinutes(1), usual.maxRedirects(), reachable);
    InboundFiles files = new NostrChannel().inboundFiles(AccountConfig.of("nos", "nostr"), media);
    NostrEvent rumor =
        NostrEvent.rumor(
            BOB.publicKey(),
            1_772_366_400,
            NostrEvent.FILE,
            List.of(
                List.of("file-type", "image/png"),
                List.of("encryption-algorithm", algorithm),
                List.of("decryption-key", HexFormat.of().formatHex(KEY)),
                List.of("decryption-nonce", HexFormat.of().formatHex(NONCE))),
            "http://127.0.0.1:" + server.getAddress().getPort() + "/blob");
    GiftWraps wraps = new GiftWraps(BOB);
    InboundMessage message =
        new NostrEvents(NostrAccount.ME.publicKey(), new GiftWraps(NostrAccount.ME))
            .read(wraps.wrap(rumor, NostrAccount.ME.publicKey(), "part"));
    try (InboundFiles.Opened file = files.open(message, 0)) {
      return new String(file.bytes().readAllBytes(), UTF_8);
    }
  }

  private static final List<Network> LOOPBACK = List.of(Network.parse("127.0.0.0/8"));

  @Test
  void a_file_is_fetched_and_decrypted() throws Exception {
    assertThat(read("aes-gcm", 1000, LOOPBACK)).isEqualTo("bytes of a file");
  }

  @Test
  void a_file_that_was_changed_is_refused() {
    stored[3] ^= 1;
    assertRefused("aes-gcm", 1000, LOOPBACK, "does not fit the key");
  }

  @Test
  void a_file_that_is_too_large_or_encrypted_otherwise_or_inside_our_network_is_refused() {
    assertThatThrownBy(() -> read("aes-gcm", 5, LOOPBACK)).hasMessageContaining("5 bytes");
    assertRefused("rot13", 1000, LOOPBACK, "not known");
    assertRefused("aes-gcm", 1000, List.of(), "");
  }

  private void assertRefused(String algorithm, long largest, List<Network> reachable, String said) {
    assertThatThrownBy(() -> read(algorithm, largest, reachable))
        .isInstanceOfSatisfying(
            Unavailable.class, e -> assertThat(e.why()).isEqualTo(Unavailable.Why.REFUSED))
        .hasMessageContaining(said);
  }
}
