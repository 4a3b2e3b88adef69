package dev.postrider.channels.email;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.user.GreenMailUser;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.GreenMailUtil;
import com.icegreen.greenmail.util.ServerSetup;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Mail over TLS, with a certificate that is good for localhost and trusted by these tests alone.
 */
class EmailTlsTest {
  private static final String PASSWORD = "not-secret";
  private static SSLContext context;

  @BeforeAll
  static void certify(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("keys.p12");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair -alias a -keyalg EC -dname CN=x -ext".split(" ")));
    command.addAll(List.of("SAN=dns:localhost", "-keystore", file.toString()));
    command.addAll(List.of("-storepass", PASSWORD));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    keytool.getInputStream().readAllBytes();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream bytes = Files.newInputStream(file)) {
      keys.load(bytes, PASSWORD.toCharArray());
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(keys, PASSWORD.toCharArray());
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(keys);
    context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
  }

  /** Speaks TLS for a server that does not, until it is closed. */
  private static ServerSocket front(int behind) throws IOException {
    ServerSocket front = context.getServerSocketFactory().createServerSocket(0);
    Thread.startVirtualThread(
        () -> {
          while (!front.isClosed()) {
            try {
              Socket outside = front.accept();
              Socket inside = new Socket("127.0.0.1", behind);
              Thread.startVirtualThread(() -> pass(outside, inside));
              Thread.startVirtualThread(() -> pass(inside, outside));
            } catch (IOException _) {
              // Closed, which ends the loop.
            }
          }
        });
    return front;
  }

  private static void pass(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException _) {
      // One of them went away.
    }
  }

  private static AccountConfig config(int port) {
    return AccountConfig.of("mail", "email")
        .set("host", "localhost")
        .set("port", port)
        .set("from", "shop@example.org")
        .set("username", "shop")
        .set("password", "secret");
  }

  private static Outcome send(AccountConfig config, Properties tls) {
    TestAccount account = TestAccount.of(config);
    return new EmailLink(Settings.of(config), account.scheduler(), account.memory(), tls)
        .send(account.part("ann@example.net", "hello"));
  }

  private static Properties trusting() {
    Properties trusting = new Properties();
    trusting.put("mail.smtp.ssl.socketFactory", context.getSocketFactory());
    trusting.put("mail.imap.ssl.socketFactory", context.getSocketFactory());
    return trusting;
  }

  @ParameterizedTest
  @CsvSource({"localhost, delivered", "127.0.0.1, unreachable"})
  void starttls_comes_before_the_password_and_needs_the_right_name(String host, String outcome)
      throws Exception {
    try (FakeSmtp server = new FakeSmtp(context)) {
      server.answer("EHLO", "250-fake\r\n250-STARTTLS\r\n250 AUTH PLAIN");
      Outcome sent = send(config(server.port()).set("host", host), trusting());
      assertThat(sent.label().replace("accepted", "delivered")).isEqualTo(outcome);
      assertThat(server.commands().subList(0, 2)).containsExactly("EHLO example.org", "STARTTLS");
      assertThat(server.letters()).hasSize(outcome.equals("delivered") ? 1 : 0);
    }
  }

  @Test
  void a_certificate_nobody_vouches_for_gets_nothing() throws Exception {
    try (FakeSmtp server = new FakeSmtp(context)) {
      server.answer("EHLO", "250-fake\r\n250-STARTTLS\r\n250 AUTH PLAIN");
      assertThat(send(config(server.port()), new Properties()))
          .isInstanceOf(Outcome.Unreachable.class);
      assertThat(server.commands()).containsExactly("EHLO example.org", "STARTTLS");
    }
  }

  @Test
  void letters_go_out_and_come_in_over_tls() throws Exception {
    GreenMail server =
        new GreenMail(
            new ServerSetup[] {ServerSetup.SMTP.dynamicPort(), ServerSetup.IMAP.dynamicPort()});
    server.start();
    RecordingSink sink = new RecordingSink();
    Thread listener = null;
    try (ServerSocket smtp = front(server.getSmtp().getPort());
        ServerSocket imap = front(server.getImap().getPort())) {
      GreenMailUser user = server.setUser("shop@example.org", "shop", "secret");
      AccountConfig config =
          config(smtp.getLocalPort())
              .set("security", "tls")
              .set("imapHost", "localhost")
              .set("imapPort", imap.getLocalPort());
      assertThat(send(config, trusting())).isInstanceOf(Outcome.Delivered.class);
      assertThat(server.getReceivedMessages()).hasSize(1);

      TestAccount account = TestAccount.of(config);
      EmailLink link =
          new EmailLink(Settings.of(config), account.scheduler(), account.memory(), trusting());
      listener =
          Thread.startVirtualThread(
              () -> {
                try {
                  link.listen(sink);
                } catch (Exception _) {
                  // As it ends when the test does.
                }
              });
      sink.next();
      MimeMessage mail = GreenMailUtil.newMimeMessage("From: a@example.net\r\n\r\nhi");
      user.deliver(mail);
      assertThat(sink.text()).isEqualTo("hi");
    } finally {
      if (listener != null) {
        listener.interrupt();
        listener.join();
      }
      server.stop();
    }
  }
}
