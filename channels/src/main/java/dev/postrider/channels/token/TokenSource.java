package dev.postrider.channels.token;

import dev.postrider.channel.Outcome;
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
     */
    Result renew(@Nullable Token last);
  }

  /** Where a token is kept; in memory unless the next one can be got only with the last. */
  public interface Store {
    @Nullable Token load();

    /** Returns once it is durable. */
    void save(Token token);

    static Store inMemory() {
      return new Store() {
        private volatile @Nullable Token token;

        @Override
        public @Nullable Token load() {
          return token;
        }

        @Override
        public void save(Token got) {
          token = got;
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
  private Result.@Nullable Failed failure; // guarded by the lock
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
    } finally {
      renewing.unlock();
    }
  }

  private Result renewed() {
    if (token == null) {
      token = store.load();
    }
    Token known = token;
    if (known != null
        && isGood(known, ahead)) { // from the store, or by whoever held the lock before
      return new Result.Good(known);
    }
    Instant now = clock.instant();
    if (failure != null && now.isBefore(failedAt.plus(AFTER_FAILURE))) {
      return failure;
    }
    Result result = renewal.renew(known);
    switch (result) {
      case Result.Good(Token got) -> {
        store.save(got); // before it is used: the one before may be of no use any more
        token = got;
        refused = null;
        failure = null;
      }
      case Result.Failed failed -> {
        failure = failed;
        failedAt = now;
      }
    }
    return result;
  }

  /** The platform does not take this token, whatever it said of its end. */
  public void refused(String value) {
    refused = value;
  }

  private boolean isGood(Token one, Duration margin) {
    return !one.value().equals(refused) && clock.instant().isBefore(one.expiresAt().minus(margin));
  }
}
