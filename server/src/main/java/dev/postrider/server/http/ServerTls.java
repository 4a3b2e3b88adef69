package dev.postrider.server.http;

import dev.postrider.server.log.Line;
import dev.postrider.server.tls.BadTlsFile;
import dev.postrider.server.tls.Identity;
import dev.postrider.server.tls.TlsSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * What the server shows of itself now. New connections get what the files hold; a connection keeps
 * what it began with. A file that cannot be used changes nothing but what {@link #reasons} says.
 * Thread-safe.
 */
public final class ServerTls {
  private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};
  private static final String HTTP = "http/1.1";
  private static final Duration SOON = Duration.ofDays(14);

  private final TlsSettings settings;
  private final InstantSource clock;
  private volatile Identity current;
  private volatile @Nullable String trouble;
  private byte[] seen = {}; // guarded by this: what the last look found, if it could not be used
  private boolean toldOfExpiry; // guarded by this

  /** Reads the files for the first time. */
  public ServerTls(TlsSettings settings, InstantSource clock) throws BadTlsFile {
    this.settings = settings;
    this.clock = clock;
    current = Identity.read(settings);
    tellOfExpiry();
  }

  /** The server's side of a new connection. */
  public SSLEngine engine() {
    SSLEngine engine = current.context().createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(VERSIONS);
    engine.setSSLParameters(parameters);
    // Whoever speaks nothing but HTTP/2 is told so in the handshake.
    engine.setHandshakeApplicationProtocolSelector(
        (_, offered) -> offered.contains(HTTP) ? HTTP : null);
    return engine;
  }

  /** Looks whether the files have changed. */
  public synchronized void lookAgain() {
    byte[] found = {};
    try {
      byte[] certificate = Identity.bytes(settings.certificate(), false);
      byte[] key = Identity.bytes(settings.key(), true);
      found = joined(certificate, key);
      if (!current.isOf(certificate, key)) {
        current = Identity.read(settings);
        toldOfExpiry = false;
        Line.info(
                "tls.reloaded",
                "The certificate was read again; it is good until " + current.expiry() + ".")
            .with("expiry", current.expiry().toString())
            .write();
      }
      trouble = null;
    } catch (BadTlsFile e) {
      // Two files are seldom written at once: what is wrong must still be so at the next look.
      if (Arrays.equals(found, seen)) {
        tell("http.tls." + (e.isKey() ? "key " : "certificate ") + e.getMessage() + ".");
      }
    }
    seen = found;
    tellOfExpiry();
  }

  private static byte[] joined(byte[] certificate, byte[] key) {
    byte[] all = Arrays.copyOf(certificate, certificate.length + key.length);
    System.arraycopy(key, 0, all, certificate.length, key.length);
    return all;
  }

  private void tell(String why) {
    if (!why.equals(trouble)) {
      trouble = why;
      Line.warn("tls.not-reloaded", "The old certificate stays: " + why).write();
    }
  }

  private void tellOfExpiry() {
    @Nullable String ending = ending();
    if (ending != null && !toldOfExpiry) {
      toldOfExpiry = true;
      Line.warn("tls.expires", ending).with("expiry", current.expiry().toString()).write();
    }
  }

  private @Nullable String ending() {
    Instant expiry = current.expiry();
    Instant now = clock.instant();
    if (now.plus(SOON).isBefore(expiry)) {
      return null;
    }
    return "The certificate in %s %s %s; put a new one there, it is read by itself."
        .formatted(
            settings.certificate(),
            now.isBefore(expiry) ? "ends at" : "has ended at",
            expiry.truncatedTo(ChronoUnit.SECONDS));
  }

  /** What is not well, in sentences. */
  public List<String> reasons() {
    List<String> reasons = new ArrayList<>();
    @Nullable String why = trouble;
    if (why != null) {
      reasons.add("The changed certificate is not in use, the old one stays: " + why);
    }
    @Nullable String ending = ending();
    if (ending != null) {
      reasons.add(ending);
    }
    return reasons;
  }
}
