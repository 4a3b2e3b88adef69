package dev.postrider.channels.irc;

import dev.postrider.channels.token.Scram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Logs in to an account of the network (IRCv3 SASL). For one login. */
final class SaslLogin {
  /** Longer answers come in pieces of this. */
  private static final int PIECE = 400;

  private static final int LONGEST = 64 << 10;

  /** How to show who we are. */
  enum Mechanism {
    PLAIN("PLAIN"),
    SCRAM_SHA_256("SCRAM-SHA-256"),
    /** By the certificate of the connection. */
    EXTERNAL("EXTERNAL");

    final String label;

    Mechanism(String label) {
      this.label = label;
    }

    static @Nullable Mechanism named(String name) {
      for (Mechanism one : values()) {
        if (one.label.equalsIgnoreCase(name)) {
          return one;
        }
      }
      return null;
    }
  }

  private final Mechanism mechanism;
  private final String user;
  private final String password;
  private final Scram scram;
  private final StringBuilder challenge = new StringBuilder();
  private int answers;
  private boolean genuine;

  SaslLogin(Mechanism mechanism, String user, String password) {
    this.mechanism = mechanism;
    this.user = user;
    this.password = password;
    byte[] random = new byte[18];
    new SecureRandom().nextBytes(random);
    String nonce = Base64.getEncoder().encodeToString(random);
    scram = new Scram("SHA-256", user, password, "n,,", new byte[0], nonce);
    genuine = mechanism != Mechanism.SCRAM_SHA_256;
  }

  String begin() {
    return IrcMessage.line("AUTHENTICATE", mechanism.label);
  }

  /** The lines that answer a challenge, or a piece of it. */
  List<String> answer(String piece) throws IOException {
    if (!piece.equals("+")) {
      challenge.append(piece);
      if (challenge.length() > LONGEST) {
        throw new IOException("the server's challenge has no end");
      }
      if (piece.length() == PIECE) {
        return List.of(); // there is more of it
      }
    }
    String said = decoded(challenge.toString());
    challenge.setLength(0);
    return pieces(response(said));
  }

  private static String decoded(String text) throws IOException {
    try {
      return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IOException("the server's challenge is not in base64");
    }
  }

  private String response(String said) throws IOException {
    answers++;
    return switch (mechanism) {
      case EXTERNAL -> user;
      case PLAIN -> user + "\0" + user + "\0" + password;
      case SCRAM_SHA_256 -> {
        if (answers <= 2) {
          yield answers == 1 ? scram.first() : scram.answer(said);
        }
        scram.verify(said);
        genuine = true;
        yield "";
      }
    };
  }

  private static List<String> pieces(String response) {
    String text = Base64.getEncoder().encodeToString(response.getBytes(StandardCharsets.UTF_8));
    List<String> lines = new ArrayList<>();
    for (int at = 0; at < text.length(); at += PIECE) {
      lines.add(
          IrcMessage.line("AUTHENTICATE", text.substring(at, Math.min(text.length(), at + PIECE))));
    }
    if (text.length() % PIECE == 0) { // the empty one says that this was all
      lines.add("AUTHENTICATE +");
    }
    return lines;
  }

  /** Whether a server that says that we are in has shown all it had to. */
  boolean isGenuine() {
    return genuine;
  }
}
