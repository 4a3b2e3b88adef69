package dev.postrider.channels.xmpp;

import dev.postrider.channels.Settings;
import dev.postrider.channels.http.TrustedAuthorities;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Who we are on XMPP, and how we connect.
 *
 * @param host where to connect; empty to go where the domain's records say
 * @param tls whom to believe; null for those whom the system believes
 * @param idle how long the connection may be quiet before it is asked for a sign of life
 */
record XmppAccount(
    Jid jid,
    String password,
    String host,
    int port,
    Security security,
    @Nullable SSLContext tls,
    Duration connectTimeout,
    Duration timeout,
    Duration idle,
    String nick,
    List<Jid> rooms,
    boolean acceptContacts) {

  /** How the connection is protected. */
  enum Security {
    /** By TLS, once the server was asked for it. */
    STARTTLS,
    /** By TLS from its first byte. */
    TLS,
    /** Not at all: for a server on the same machine. */
    NONE
  }

  static XmppAccount of(Settings settings) {
    Jid jid = Jid.parse(settings.required("jid"));
    if (jid == null || jid.local().isEmpty()) {
      throw settings.wrong("jid", "is not an account's address such as bot@example.org");
    }
    Security security = security(settings);
    String host = settings.text("host", "");
    Integer port = settings.count("port");
    if (port != null && (host.isEmpty() || port > 65535)) {
      throw settings.wrong("port", "is of no use without host, and is at most 65535");
    }
    Jid named = jid.isBare() ? jid.with("postrider") : jid;
    String nick = settings.text("nick", jid.local());
    if (Jid.parse("room@example.org/" + nick) == null) {
      throw settings.wrong("nick", "cannot be a nickname");
    }
    return new XmppAccount(
        named,
        settings.required("password"),
        host,
        Objects.requireNonNullElse(port, security == Security.TLS ? 5223 : 5222),
        security,
        TrustedAuthorities.of(settings),
        positive(settings, "connectTimeout", Duration.ofSeconds(10)),
        positive(settings, "timeout", Duration.ofSeconds(30)),
        positive(settings, "idle", Duration.ofSeconds(60)),
        nick,
        settings.texts("rooms").stream().map(room -> room(settings, room)).toList(),
        settings.flag("acceptContacts", false));
  }

  private static Security security(Settings settings) {
    try {
      return Security.valueOf(settings.text("security", "starttls").toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException _) {
      throw settings.wrong("security", "is none of starttls, tls and none");
    }
  }

  private static Jid room(Settings settings, String text) {
    Jid room = Jid.parse(text.strip());
    if (room == null || room.local().isEmpty() || !room.isBare()) {
      throw settings.wrong(
          "rooms", "holds something that is no room such as team@rooms.example.org");
    }
    return room;
  }

  private static Duration positive(Settings settings, String key, Duration otherwise) {
    Duration value = settings.duration(key, otherwise);
    if (!value.isPositive()) {
      throw settings.wrong(key, "must be longer than zero");
    }
    return value;
  }

  List<ServerAddress> servers() {
    return host.isEmpty()
        ? ServerAddress.of(jid.domain(), security == Security.TLS)
        : List.of(new ServerAddress(host, port));
  }
}
