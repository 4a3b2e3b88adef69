package dev.postrider.channels.token;

import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An access token that is renewed some time before it expires, by one caller; the others go on with
 * the old one as long as it is good, and wait only when there is none. A renewal that fails is not
 * repeated at once. Thread-safe.
 */
public final class TokenSource {
  /** How long nobody asks again after a failure. */
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

  /** The same while the old token is still good: then there is time. */
  private static final Duration AFTER_EARLY_FAILURE = Duration.ofMinutes(1);

  /**
   * A token.
   *
   * @param refresh what the next one is got with, where that is another secret; null if there is
   *     none
   */
  public record Token(String value, Instant expiresAt, @Nullable String refresh) {
    @Override
    public String toString() {
      return "Token[until " + expiresAt + "]";
    }
  }

  /** A token, or what there is instead. */
  public sealed interface Result {
    record Good(Token token) implements Result {}

    /** Nothing was sent; the outcome of whatever needed the token. */
    record Failed(Outcome outcome) implements Result {}
  }

  /** Gets a token from the platform; one request, blocking. */
  @FunctionalInterface
  public interface Renewal {
    /**
     * @param last the one before, with what it may be renewed with; null at the very beginning
     * @return {@link Outcome.Unknown} if the platform may have renewed it all the same; whoever
     *     needed the token has not sent anything
     */
    Result renew(@Nullable Token last);
  }

  /** Where a token is kept; in memory unless the next one can be got only with the last. */
  public interface Store {
    @Nullable Token load();

    /**
     * Keeps other processes from renewing the token meanwhile.
     *
     * @return zero if it may be renewed now; else how long another process may be at it
     */
    default Duration claim() {
      return Duration.ZERO;
    }

    /** The token was certainly not renewed: another may try. */
    default void release() {}

    /**
     * Returns once it is durable.
     *
     * @return the token to use: another one, if another process has kept a later one
     */
    Token save(Token token);

    static Store inMemory() {
      return new Store() {
        private volatile @Nullable Token token;

        @Override
        public @Nullable Token load() {
          return token;
        }

        @Override
        public Token save(Token got) {
          token = got;
          return got;
        }
      };
    }
  }

  private final InstantSource clock;
  private final Duration ahead;
  private final Store store;
  private final Renewal renewal;
  private final ReentrantLock renewing = new ReentrantLock();
  private volatile @Nullable Token token;
  private volatile @Nullable String refused;
  private @Nullable Token unsaved; // guarded by the lock
  private volatile Result.@Nullable Failed failure; // written under the lock
  private Instant failedAt = Instant.MIN; // guarded by the lock

  /**
   * @param ahead how long before its end a token is renewed
   */
  public TokenSource(InstantSource clock, Duration ahead, Store store, Renewal renewal) {
    this.clock = clock;
    this.ahead = ahead;
    this.store = store;
    this.renewal = renewal;
  }

  /** A token that is good now. */
  public Result get() {
    Token known = token;
    if (known != null && isGood(known, ahead)) {
      return new Result.Good(known);
    }
    if (known != null && isGood(known, Duration.ZERO)) {
      if (!renewing.tryLock()) {
        return new Result.Good(known); // somebody is at it
      }
    } else {
      renewing.lock();
    }
    try {
      Result result = renewed();
      Token left = token;
      return result instanceof Result.Failed && left != null && isGood(left, Duration.ZERO)
          ? new Result.Good(left)
          : result;
    } catch (NotSentException e) { // the store is away; a token that is good is good without it
      Token left = token;
      if (left != null && isGood(left, Duration.ZERO)) {
        return new Result.Good(left);
      }
      throw e;
    } finally {
      renewing.unlock();
    }
  }

  private Result renewed() {
    if (unsaved != null) {
      return kept(unsaved);
    }
    Token known = loaded();
    if (known != null && isGood(known, ahead)) {
      return new Result.Good(known);
    }
    Instant now = clock.instant();
    Result.Failed before = failure;
    if (before != null && now.isBefore(failedAt.plus(patience(known)))) {
      return before;
    }
    Duration busy = store.claim();
    if (busy.isPositive()) {
      return new Result.Failed(
          new Outcome.Throttled(
              ThrottleScope.ACCOUNT, busy, "another process renews the access token"));
    }
    known = loaded(); // another process may have been faster
    if (known != null && isGood(known, ahead)) {
      store.release();
      return new Result.Good(known);
    }
    return switch (renewal.renew(known)) {
      case Result.Good(Token got) -> kept(got);
      case Result.Failed(Outcome outcome) -> failed(outcome, now);
    };
  }

  /** By whichever process renewed it last. */
  private @Nullable Token loaded() {
    Token stored = store.load();
    if (stored != null) {
      token = stored;
    }
    return token;
  }

  private Duration patience(@Nullable Token known) {
    return known != null && isGood(known, Duration.ZERO) ? AFTER_EARLY_FAILURE : AFTER_FAILURE;
  }

  /** Stores it before it is used: the one before may be of no use any more. */
  private Result kept(Token got) {
    unsaved = got;
    Token kept = store.save(got);
    unsaved = null;
    token = kept;
    refused = null;
    failure = null;
    return new Result.Good(kept);
  }

  private Result failed(Outcome outcome, Instant now) {
    Result.Failed failed;
    if (outcome instanceof Outcome.Unknown(String cause)) {
      failed =
          new Result.Failed(new Outcome.NotSent(cause)); // and the claim stays until it is over
    } else {
      failed = new Result.Failed(outcome);
      store.release();
    }
    failure = failed;
    failedAt = now;
    return failed;
  }

  /** Why the last renewal failed, though the old token may still be good; null if it did not. */
  public @Nullable Outcome trouble() {
    Result.Failed last = failure;
    return last == null ? null : last.outcome();
  }

  /** The platform does not take this token, whatever it said of its end. */
  public void refused(String value) {
    refused = value;
  }

  private boolean isGood(Token one, Duration margin) {
    return !one.value().equals(refused) && clock.instant().isBefore(one.expiresAt().minus(margin));
  }
}
