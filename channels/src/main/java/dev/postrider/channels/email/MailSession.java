package dev.postrider.channels.email;

import dev.postrider.channels.Settings;
import dev.postrider.channels.http.TrustedAuthorities;
import jakarta.mail.Session;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import javax.net.ssl.SSLContext;

/** The library's settings from ours, for one of its protocols. */
final class MailSession {
  private MailSession() {}

  /** How a connection is secured. */
  enum Security {
    STARTTLS,
    TLS,
    NONE;

    static Security of(Settings settings, String key, Security otherwise) {
      try {
        return valueOf(settings.text(key, otherwise.name()).toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException _) {
        throw settings.wrong(key, "is none of starttls, tls and none");
      }
    }
  }

  /**
   * A session.
   *
   * @param base how TLS is done, if not the usual way
   */
  static Session of(
      String protocol, Security security, Settings settings, Duration timeout, Properties base) {
    Properties all = new Properties();
    all.putAll(base);
    String mail = "mail." + protocol + ".";
    all.put(mail + "ssl.enable", Boolean.toString(security == Security.TLS));
    all.put(mail + "starttls.enable", Boolean.toString(security == Security.STARTTLS));
    all.put(mail + "starttls.required", Boolean.toString(security == Security.STARTTLS));
    all.put(mail + "ssl.checkserveridentity", "true");
    SSLContext own = TrustedAuthorities.of(settings);
    if (own != null) {
      all.put(mail + "ssl.socketFactory", own.getSocketFactory());
    }
    all.put(mail + "connectiontimeout", millis(connectTimeout(settings)));
    all.put(mail + "timeout", millis(timeout));
    all.put("mail.smtp.quitwait", "false");
    all.put("mail.imap.partialfetch", "false");
    return Session.getInstance(all);
  }

  private static Duration connectTimeout(Settings settings) {
    return positive(settings, "connectTimeout", Duration.ofSeconds(10));
  }

  static Duration positive(Settings settings, String key, Duration otherwise) {
    Duration value = settings.duration(key, otherwise);
    if (!value.isPositive()) {
      throw settings.wrong(key, "must be longer than zero");
    }
    return value;
  }

  static int port(Settings settings, String key, int otherwise) {
    return Objects.requireNonNullElse(settings.count(key), otherwise);
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }
}
