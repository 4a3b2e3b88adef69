package dev.postrider.server.api;

import dev.postrider.server.log.Line;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what comes from an address with a wrong token or signature, or with none. Over so many in
 * a minute it is told to wait, which tells nothing about a guess. Whoever shows a right one is
 * served all the same. Thread-safe.
 */
public final class FailedLogins {
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private static final int MOST_ADDRESSES = 10_000;
  private static final String ALL_OTHERS = "other addresses";

  private final int most;
  private final LongSupplier nanos;
  private final Map<String, Minute> minutes = new HashMap<>(); // guarded by this

  /** What an address has done since. */
  private static final class Minute {
    long began;
    int failures;
    long refused; // in this minute and those before, as long as there were too many
  }

  public FailedLogins(int most, LongSupplier nanos) {
    this.most = most;
    this.nanos = nanos;
  }

  /** Counts one; gives how long to wait if there are too many, else null. */
  synchronized @Nullable public Duration count(InetAddress address) {
    String from = name(address);
    if (!minutes.containsKey(from) && minutes.size() >= MOST_ADDRESSES) {
      from = ALL_OTHERS;
    }
    long now = nanos.getAsLong();
    Minute minute = minutes.computeIfAbsent(from, _ -> begun(now));
    if (now - minute.began >= MINUTE) {
      if (minute.failures <= most) {
        tellEnd(from, minute);
      }
      minute.began = now;
      minute.failures = 0;
    }
    minute.failures++;
    if (minute.failures <= most) {
      return null;
    }
    if (minute.refused == 0) {
      Line.warn(
              "failures.refused",
              ("More than %d requests in a minute from %s had a wrong token or signature,"
                      + " or none; further ones are answered with 429.")
                  .formatted(most, from))
          .with("address", from)
          .write();
    }
    minute.refused++;
    return Duration.ofNanos(minute.began + MINUTE - now);
  }

  private static Minute begun(long now) {
    Minute minute = new Minute();
    minute.began = now;
    return minute;
  }

  /** Forgets those who have stopped. */
  public synchronized void forgetOld() {
    long now = nanos.getAsLong();
    for (Iterator<Map.Entry<String, Minute>> all = minutes.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<String, Minute> each = all.next();
      if (now - each.getValue().began >= MINUTE) {
        tellEnd(each.getKey(), each.getValue());
        all.remove();
      }
    }
  }

  private static void tellEnd(String from, Minute minute) {
    if (minute.refused > 0) {
      Line.info(
              "failures.ended",
              "%d requests from %s were answered with 429; it is quiet again."
                  .formatted(minute.refused, from))
          .with("address", from)
          .with("count", minute.refused)
          .write();
      minute.refused = 0;
    }
  }

  /** Whoever has one address of IPv6 has the 2^64 beside it. */
  private static String name(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return address.getHostAddress();
    }
    byte[] network = Arrays.copyOf(Arrays.copyOf(address.getAddress(), 8), 16);
    try {
      return InetAddress.getByAddress(network).getHostAddress() + "/64";
    } catch (UnknownHostException e) {
      throw new IllegalStateException("16 bytes are an address", e);
    }
  }
}
