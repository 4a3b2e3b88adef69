package dev.postrider.channels.xmpp;

import dev.postrider.channels.token.Scram;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.channels.xmpp.XmppAccount.Security;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Connects to an account's server and logs in, as far as a resource would be bound next. */
final class XmppLogin {
  private static final String TLS = "urn:ietf:params:xml:ns:xmpp-tls";
  private static final String SASL = "urn:ietf:params:xml:ns:xmpp-sasl";
  private static final String BINDINGS = "urn:xmpp:sasl-cb:0";

  /** The best first. */
  private static final List<String> HASHES = List.of("SHA-512", "SHA-256", "SHA-1");

  /** What a server says of a login that only a person can put right (RFC 6120, 6.5). */
  static final ErrorTable REFUSALS =
      ErrorTable.of(
          ErrorTable.broken(
              "not-authorized",
              "account-disabled",
              "credentials-expired",
              "invalid-authzid",
              "invalid-mechanism",
              "mechanism-too-weak",
              "encryption-required",
              "malformed-request",
              "incorrect-encoding"),
          ErrorTable.notSent("temporary-auth-failure", "aborted"));

  private final XmppAccount account;
  private final Supplier<String> nonces;

  /**
   * @param nonces random texts
   */
  XmppLogin(XmppAccount account, Supplier<String> nonces) {
    this.account = account;
    this.nonces = nonces;
  }

  /** The server does not take the account, and will not until a person changes something. */
  static final class Refused extends IOException {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
      super(message);
    }
  }

  /**
   * Makes the stream ready for a resource, and gives what the server then offers.
   *
   * @param stream not connected yet
   */
  XmlElement login(XmlStream stream) throws IOException {
    String domain = account.jid().domain();
    stream.connect(account.servers(), account.connectTimeout());
    if (account.security() == Security.TLS) {
      stream.secure(account.tls(), domain);
    }
    XmlElement features = stream.begin(domain);
    if (account.security() == Security.STARTTLS) {
      if (features.child("starttls", TLS) == null) {
        throw new Refused(
            domain + " offers no TLS; nothing was sent to it, the password least of all");
      }
      stream.write(XmlElement.of("starttls", TLS).xml());
      if (!stream.next().is("proceed", TLS)) {
        throw new IOException(domain + " does not begin TLS");
      }
      stream.secure(account.tls(), domain);
      features = stream.begin(domain);
    }
    authenticate(stream, features);
    return stream.begin(domain);
  }

  private void authenticate(XmlStream stream, XmlElement features) throws IOException {
    XmlElement offered = features.child("mechanisms", SASL);
    Set<String> mechanisms = new HashSet<>();
    if (offered != null) {
      offered.forEach(mechanism -> mechanisms.add(mechanism.text().strip()));
    }
    SSLSession tls = stream.tls();
    Binding binding = tls == null ? null : binding(tls, features);
    boolean boundOffered = mechanisms.stream().anyMatch(name -> name.endsWith("-PLUS"));
    for (String hash : HASHES) {
      if (binding != null && mechanisms.contains("SCRAM-" + hash + "-PLUS")) {
        String header = "p=" + binding.type() + ",,";
        scram(stream, "SCRAM-" + hash + "-PLUS", hash, header, binding.data());
        return;
      }
    }
    for (String hash : HASHES) {
      if (mechanisms.contains("SCRAM-" + hash)) {
        // "y": we could have, but the server does not offer it. One that does knows of an attack.
        String header = tls != null && !boundOffered ? "y,," : "n,,";
        scram(stream, "SCRAM-" + hash, hash, header, new byte[0]);
        return;
      }
    }
    if (mechanisms.contains("PLAIN") && tls != null) {
      plain(stream);
      return;
    }
    throw new Refused(
        "the server offers no way to log in that is safe here: "
            + (mechanisms.isEmpty() ? "none at all" : String.join(", ", mechanisms))
            + (tls == null ? "; PLAIN takes TLS" : ""));
  }

  private void plain(XmlStream stream) throws IOException {
    String response = "\0" + account.jid().local() + "\0" + account.password();
    stream.write(auth("PLAIN", response).xml());
    XmlElement answer = stream.next();
    if (!answer.is("success", SASL)) {
      throw failure(answer);
    }
  }

  private void scram(XmlStream stream, String mechanism, String hash, String header, byte[] bound)
      throws IOException {
    Scram scram =
        new Scram(hash, account.jid().local(), account.password(), header, bound, nonces.get());
    stream.write(auth(mechanism, scram.first()).xml());
    XmlElement answer = stream.next();
    if (!answer.is("challenge", SASL)) {
      throw failure(answer);
    }
    String response = scram.answer(decoded(answer.text()));
    stream.write(XmlElement.of("response", SASL).text(encoded(response)).xml());
    answer = stream.next();
    if (answer.is("challenge", SASL)) { // the server's proof in a message of its own
      scram.verify(decoded(answer.text()));
      stream.write(XmlElement.of("response", SASL).xml());
      answer = stream.next();
    } else if (answer.is("success", SASL)) {
      scram.verify(decoded(answer.text()));
    }
    if (!answer.is("success", SASL)) {
      throw failure(answer);
    }
  }

  private static XmlElement auth(String mechanism, String initial) {
    return XmlElement.of("auth", SASL).with("mechanism", mechanism).text(encoded(initial));
  }

  private IOException failure(XmlElement answer) {
    String condition = "";
    String text = "";
    for (XmlElement child : answer) {
      if (child.name().equals("text")) {
        text = child.text();
      } else {
        condition = child.name();
      }
    }
    String cause = condition + (text.isEmpty() ? "" : " (" + text + ")");
    return REFUSALS.byCode(condition, cause) instanceof dev.postrider.channel.Outcome.AccountBroken
        ? new Refused(
            "the server does not take the login of "
                + account.jid().bare()
                + ": "
                + cause
                + "; check jid and password")
        : new IOException("the login failed: " + (cause.isEmpty() ? answer.name() : cause));
  }

  /** What ties a login to its TLS connection, so that nobody can pass it on. */
  @SuppressWarnings("ArrayRecordComponent") // for one call
  private record Binding(String type, byte[] data) {}

  /** Of the kinds that the server has said it knows (XEP-0440), the best that Java can tell. */
  private static @Nullable Binding binding(SSLSession tls, XmlElement features) {
    XmlElement told = features.child("sasl-channel-binding", BINDINGS);
    Set<String> types = new HashSet<>();
    if (told != null) {
      told.forEach(type -> types.add(type.get("type", "")));
    }
    try {
      if (types.contains("tls-exporter")
          && tls.getProtocol().equals("TLSv1.3")
          && tls instanceof ExtendedSSLSession session) {
        return new Binding(
            "tls-exporter",
            session.exportKeyingMaterialData("EXPORTER-Channel-Binding", new byte[0], 32));
      }
      if (types.contains("tls-server-end-point")
          && tls.getPeerCertificates()[0] instanceof X509Certificate certificate) {
        String signed = certificate.getSigAlgName().toUpperCase(Locale.ROOT);
        String hash =
            signed.startsWith("SHA384")
                ? "SHA-384"
                : signed.startsWith("SHA512") ? "SHA-512" : "SHA-256";
        return new Binding(
            "tls-server-end-point",
            MessageDigest.getInstance(hash).digest(certificate.getEncoded()));
      }
    } catch (GeneralSecurityException | IOException | UnsupportedOperationException _) {
      // Then without.
    }
    return null;
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decoded(String text) throws IOException {
    try {
      return new String(Base64.getDecoder().decode(text.strip()), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IOException("the server's challenge is none", e);
    }
  }
}
