package dev.postrider.reminder.estimate;

import dev.postrider.reminder.time.WindowOpening;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How all sends of one account go, whatever their hours: from one moment at which a window opens or
 * closes to the next. Of several windows that are open, the one that closes first goes first, as
 * the dispatcher has it.
 */
final class AccountCourse {
  private final SendCourse course;
  private final List<Track> tracks = new ArrayList<>();
  private final Instant end;
  private Instant at;

  /** A share on its way through its openings. */
  private static final class Track {
    final Share share;
    final Iterator<WindowOpening> openings;
    final @Nullable WindowOpening first;
    @Nullable WindowOpening current;
    long left;
    long inFirst;
    int used;

    Track(Share share, Instant from, Instant end) {
      this.share = share;
      openings = share.openings(from, end);
      current = openings.hasNext() ? openings.next() : null;
      first = current;
      left = share.sends();
    }

    boolean isLive() {
      return left > 0 && current != null;
    }
  }

  /**
   * @param end when it is over, done or not
   */
  AccountCourse(List<Share> shares, Rate rate, DailyLimit limit, Instant from, Instant end) {
    this.course = new SendCourse(rate, limit, from);
    this.at = from;
    this.end = end;
    shares.forEach(share -> tracks.add(new Track(share, from, end)));
    run();
  }

  private void run() {
    List<Track> live = live();
    while (!live.isEmpty()) {
      Instant next = next(live);
      live.stream()
          .filter(track -> opening(track).contains(at))
          .sorted(Comparator.comparing(track -> opening(track).closes()))
          .forEach(track -> send(track, next));
      at = next;
      live.forEach(this::turn);
      live = live();
    }
  }

  private List<Track> live() {
    return tracks.stream().filter(Track::isLive).toList();
  }

  private static WindowOpening opening(Track track) {
    WindowOpening current = track.current;
    if (current == null) {
      throw new IllegalStateException("a share without an opening is not live");
    }
    return current;
  }

  /** When the next window opens or closes. */
  private Instant next(List<Track> live) {
    return live.stream()
        .map(AccountCourse::opening)
        .map(span -> span.opens().isAfter(at) ? span.opens() : span.closes())
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  private void send(Track track, Instant until) {
    long sent = course.send(new WindowOpening(at, until), track.left);
    track.left -= sent;
    if (opening(track).equals(track.first)) {
      track.inFirst += sent;
    }
  }

  private void turn(Track track) {
    WindowOpening current = opening(track);
    if (!current.closes().isAfter(at)) {
      track.used++;
      track.current = track.openings.hasNext() ? track.openings.next() : null;
    } else if (track.left == 0) {
      track.used++;
    }
  }

  /** How many go out in the first opening of each share. */
  long inFirst() {
    return tracks.stream().mapToLong(track -> track.inFirst).sum();
  }

  long left() {
    return tracks.stream().mapToLong(track -> track.left).sum();
  }

  /** How many openings the share takes that takes most. */
  int openings() {
    return tracks.stream().mapToInt(track -> track.used).max().orElse(0);
  }

  Instant lastSend() {
    return course.lastSend();
  }

  /** The first openings, of shares that have one. */
  List<WindowOpening> firstOpenings() {
    return tracks.stream().flatMap(track -> Stream.ofNullable(track.first)).toList();
  }

  /** When the last window first closes that cuts its share off; null if none does. */
  @Nullable Instant closesAt() {
    return tracks.stream()
        .filter(track -> track.inFirst < track.share.sends())
        .flatMap(track -> Stream.ofNullable(track.first))
        .map(WindowOpening::closes)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  /** When everything is sent, or the last share is over that is not. */
  Instant endsAt() {
    return tracks.stream()
        .filter(track -> track.left > 0)
        .map(
            track -> track.share.only() == null || track.first == null ? end : track.first.closes())
        .reduce(course.lastSend(), (one, other) -> one.isAfter(other) ? one : other);
  }
}
