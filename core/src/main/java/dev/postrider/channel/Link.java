package dev.postrider.channel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One account's connection to its platform. Called from many tasks at once, never for two parts of
 * one lane at a time. A link does not retry: it makes one request and tells the result.
 */
public interface Link extends AutoCloseable {

  /**
   * Sends one part. Blocking is fine; interruption means the engine has given up waiting. An
   * exception is an outcome too: {@link NotSentException} if nothing can have gone out, anything
   * else unknown.
   */
  Outcome send(Dispatch dispatch) throws Exception;

  /**
   * Brings bytes to the platform for parts to come; called if the channel's rules say {@link
   * MediaRules.Reuse#BY_UPLOAD}, once for all parts that carry them.
   */
  default UploadResult upload(PartFile cargo) throws Exception {
    throw new UnsupportedOperationException("this channel has no uploads of their own");
  }

  /**
   * Listens to the platform until interrupted, or over one connection, and hands in what it hears.
   * Called once in a task of its own if {@link #listens}; whenever it returns or throws, it is
   * called again after a pause that grows until a connection lasts. A link that wants another
   * connection returns: it does not reconnect by itself.
   *
   * <p>It has hung up once it returns or throws: the account may be another node's then, and its
   * platform may take one connection only. Interrupted, it does so soon; interrupted again, at
   * once.
   *
   * @throws ListeningRefused if only a person can help; sending goes on
   */
  default void listen(InboundSink inlet) throws Exception {}

  /** Whether this account's platform is to be listened to. */
  default boolean listens() {
    return false;
  }

  /**
   * The server behind a chat, such as {@code hooks.example.org}; null where all chats of the
   * account have the same. When a part for one is {@link Outcome.Unreachable}, what is for its
   * server waits, and nothing else.
   */
  default @Nullable String server(String chat) {
    return null;
  }

  /**
   * How long the next part of the message waits for the platform's report that it has sent this
   * one; zero if it may follow at once. For platforms that accept in order and deliver in another.
   */
  default Duration sentWithin(Dispatch accepted) {
    return Duration.ZERO;
  }

  /**
   * How long the platform recognises this part by its key, counted from its first try, and drops a
   * repeat: for parts that go another way than most, such as one without a key. Asked when a part
   * is in doubt, and again before it is repeated.
   *
   * @param usual what the channel's capabilities say
   */
  default Duration remembers(Dispatch part, Duration usual) {
    return usual;
  }

  /** Looks whether a part whose outcome is unknown has arrived. */
  default Reconciliation reconcile(Dispatch dispatch) throws Exception {
    return new Reconciliation.Inconclusive();
  }

  /**
   * A cheap call without visible effect that tells whether the platform still takes this account,
   * and whether it can be reached.
   */
  default Probe probe() throws Exception {
    return new Probe.Healthy("");
  }

  /**
   * Logs the account in with the help of a person, or tells how far that is: begins if nothing is
   * under way, and is called again every few seconds until it is done. A code that has expired is
   * replaced by the next call. Blocking is fine, for some seconds.
   */
  default LoginState login(LoginRequest request) throws Exception {
    return new LoginState.NotSupported();
  }

  @Override
  default void close() {}
}
