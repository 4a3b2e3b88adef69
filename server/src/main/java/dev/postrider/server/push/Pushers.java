package dev.postrider.server.push;

import dev.postrider.Postrider;
import dev.postrider.server.config.PushSettings;
import dev.postrider.trace.Spans;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All pushing of a server: one handler for each receiver, so that a slow one delays no other. */
public final class Pushers implements AutoCloseable {
  private final List<Pusher> pushers = new ArrayList<>();

  /**
   * Begins to push.
   *
   * @param settings by account
   * @param spans says where a message is in its trace; null: there are no traces
   */
  public Pushers(Map<String, PushSettings> settings, Postrider postrider, @Nullable Spans spans) {
    Map<PushSettings, Set<String>> accounts = new LinkedHashMap<>();
    settings.forEach(
        (account, push) -> accounts.computeIfAbsent(push, _ -> new TreeSet<>()).add(account));
    accounts.forEach(
        (push, whose) -> {
          Pusher pusher = new Pusher(push, postrider, InstantSource.system(), spans);
          pushers.add(pusher);
          postrider.onInbound(whose, pusher);
        });
  }

  /** Hangs up; to be called when the engine has stopped, and with it the handing out. */
  @Override
  public void close() {
    pushers.forEach(Pusher::close);
  }
}
