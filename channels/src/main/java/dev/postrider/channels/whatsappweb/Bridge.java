package dev.postrider.channels.whatsappweb;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.Outcome;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A program that holds a paired account, as one account uses it. It makes one request per call and
 * says what came of it. Thread-safe.
 */
sealed interface Bridge extends AutoCloseable permits WahaBridge, GowaBridge {

  /** What a request came to. */
  sealed interface Answer {
    /** The bridge did it. */
    record Said(JsonNode body) implements Answer {}

    /**
     * The paired account cannot be used at the moment; nothing was done.
     *
     * @param login whether a person has to pair it
     */
    record NotReady(String cause, boolean login) implements Answer {}

    /** WhatsApp lets the account write to nobody new; nothing was sent. */
    record ClosedToStrangers(String cause) implements Answer {}

    record Failed(Outcome outcome) implements Answer {}
  }

  /** How the paired account is. */
  sealed interface Session {
    /** It sends and receives; {@code identity} is its number. */
    record Working(String identity) implements Session {}

    /**
     * It cannot be used.
     *
     * @param login whether a person has to pair it
     */
    record NotReady(String cause, boolean login) implements Session {}

    /** The bridge refuses us, or does not know the account. */
    record Broken(String cause) implements Session {}

    /** The bridge cannot be reached. */
    record Away(String cause) implements Session {}
  }

  /**
   * Something that the account has sent, as the bridge's history has it.
   *
   * @param file whether it is a file
   */
  record Sent(String id, @Nullable String text, boolean file) {}

  Session state();

  Answer send(Dispatch part);

  /** The id of what was sent, as receipts name it; empty if the answer has none. */
  String sentId(JsonNode body);

  /** Whether the part goes out with an id that we have made of its key. */
  boolean hasOwnId(Dispatch part);

  /** Whether the account has this message of ours; null if that cannot be told. */
  @Nullable Boolean has(String chat, String id);

  /** What was sent to a chat since then, newest first; null if that cannot be told. */
  @Nullable List<Sent> sentSince(String chat, Instant since);

  /** Whether there is anything in the chat, from us or to us, as far as the bridge knows. */
  boolean isKnown(String chat);

  /** Asks WhatsApp whether a number is there. */
  Answer check(String chat);

  /** The address that WhatsApp has for a number that was asked for; null if it has none. */
  @Nullable String found(JsonNode body, String chat);

  /** The number behind a hidden id; null if the bridge does not know it. */
  @Nullable String number(String lid);

  /** How many chats a page of them has, and how many messages one of those. */
  int CHATS = 50;

  int MESSAGES = 100;

  /**
   * A chat of the bridge's history.
   *
   * @param jid null for what cannot be written to
   * @param last when something was last said in it
   */
  record Recent(@Nullable String jid, @Nullable Instant last) {}

  /**
   * Chats from that one on, those with the newest messages first.
   *
   * @throws IOException that says why they cannot be read
   */
  List<Recent> recent(int offset) throws IOException;

  /** What others have said in a chat since then, from that one on. */
  List<JsonNode> said(String chat, Instant since, int offset) throws IOException;

  /** Reads one thing that was said. */
  void read(JsonNode said, String chat, Heard heard);

  /** Reads what WhatsApp has refused of ours in a chat since then, if the history knows that. */
  void refused(String chat, Instant since, Heard heard) throws IOException;

  /** Pairs the account with a person's phone, or tells how far that is. */
  LoginState login(LoginRequest request) throws IOException;

  @Override
  void close();
}
