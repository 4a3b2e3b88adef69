package dev.postrider.testkit.internal.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.AccountConfig;
import dev.postrider.config.PostriderConfig;
import dev.postrider.inbound.InboundId;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.store.Store;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.testkit.engine.FakeChannel;
import dev.postrider.testkit.engine.World;
import dev.postrider.testkit.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Looks whether a store that an earlier version left is understood, and goes on from there. */
public final class OldStore {
  private OldStore() {}

  /** Opens it, which brings it up to date, and closes it again. */
  public static void open(World.StoreOpener opener) {
    VirtualTime time = VirtualTime.inOrder();
    opener.open(time).close(Duration.ZERO);
  }

  /**
   * Opens it; it must say of every message, inbound message and run what the earlier version said.
   * Then an engine takes it up: what waits must be delivered, lane by lane in order.
   */
  public static void check(KeptFormat format, World.StoreOpener opener) {
    World world = new World(opener);
    Instant left = says(format, opener, world.time);
    world.time.jump(Duration.between(world.time.instant(), left).plusMinutes(1));
    Set<String> accounts = accounts(format);
    world.configure(config -> withAccounts(config, accounts));
    try (world) {
      world.start();
      goOn(world);
    }
  }

  private static Set<String> accounts(KeptFormat format) {
    Set<String> accounts = new LinkedHashSet<>();
    format.said().stream()
        .filter(line -> line.getFirst().equals("message"))
        .forEach(line -> accounts.add(line.get(2)));
    return accounts;
  }

  private static PostriderConfig withAccounts(PostriderConfig config, Set<String> names) {
    List<AccountConfig> accounts = new ArrayList<>();
    names.forEach(name -> accounts.add(AccountConfig.of(name, "fake")));
    return config.accounts(accounts);
  }

  // ---- what it says

  /** Gives when the last message was accepted. */
  private static Instant says(KeptFormat format, World.StoreOpener opener, VirtualTime time) {
    Instant last = Instant.EPOCH;
    Store store = opener.open(time);
    try {
      for (List<String> line : format.said()) {
        switch (line.getFirst()) {
          case "message" -> {
            Instant created = message(store, line);
            last = created.isAfter(last) ? created : last;
          }
          case "inbound" -> inbound(store, line);
          case "run" -> run(store, line);
          default -> throw new AssertionError("nobody knows what this is about: " + line);
        }
      }
      return last;
    } finally {
      store.close(Duration.ZERO);
    }
  }

  private static Instant message(Store store, List<String> said) {
    StoredMessage message = store.find(MessageId.parse(said.get(1))).orElseThrow();
    assertThat(message.unreadable()).isNull();
    assertThat(
            List.of(
                message.message().account(),
                message.message().to(),
                message.status().label(),
                Integer.toString(message.attempts()),
                Integer.toString(message.plan().parts().size()),
                message.reason() == null ? "" : message.reason()))
        .isEqualTo(said.subList(2, said.size()));
    return message.createdAt();
  }

  private static void inbound(Store store, List<String> said) {
    StoredInbound inbound = store.inbound(InboundId.parse(said.get(1))).orElseThrow();
    assertThat(inbound.account()).isEqualTo(said.get(2));
    assertThat(inbound.arrival().chat()).isEqualTo(said.get(3));
    assertThat(inbound.arrival().text()).isEqualTo(said.get(5));
    if (!said.get(4).isEmpty()) {
      assertThat(inbound.status().label()).isEqualTo(said.get(4));
    }
  }

  private static void run(Store store, List<String> said) {
    UUID id = UUID.fromString(said.get(1));
    StoredRun run = store.reminders().run(id).orElseThrow();
    Map<TargetStatus, Integer> counts = store.reminders().counts(id);
    assertThat(run.status().label()).isEqualTo(said.get(2));
    assertThat(Integer.toString(run.total())).isEqualTo(said.get(3));
    assertThat(counts.getOrDefault(TargetStatus.SENT, 0).toString()).isEqualTo(said.get(4));
    assertThat(counts.getOrDefault(TargetStatus.FAILED, 0).toString()).isEqualTo(said.get(5));
  }

  // ---- what becomes of it

  private static void goOn(World world) {
    List<StoredMessage> waiting = active(world);
    assertThat(waiting).as("something waits").hasSizeGreaterThan(5);
    world.pass(Duration.ofMinutes(1));
    assertThat(arrived(world))
        .as("what is paused stays so")
        .noneMatch(text -> text.startsWith("ann ") || text.startsWith("held up"));

    world.postrider().resumeAccount("sandbox");
    world.postrider().resumeLane("tg", "300");
    world.pass(Duration.ofHours(1));

    for (StoredMessage message : waiting) {
      StoredMessage now = world.message(message.id());
      boolean scheduled = message.dueAt().isAfter(world.time.instant());
      assertThat(now.status())
          .as(message.toString())
          .isEqualTo(scheduled ? Status.QUEUED : Status.DELIVERED);
    }
    assertInOrder(world);
    world.pass(Duration.ofHours(6));
    assertThat(arrived(world)).as("what was scheduled").contains("cy later");
  }

  private static List<StoredMessage> active(World world) {
    List<StoredMessage> active = new ArrayList<>();
    for (Status status : List.of(Status.QUEUED, Status.SENDING)) {
      active.addAll(world.postrider().list(MessageFilter.status(status), null, 500).items());
    }
    return active;
  }

  private static List<String> arrived(World world) {
    return world.platform.requests().stream()
        .filter(FakeChannel.Request::arrived)
        .map(request -> String.valueOf(request.text()))
        .toList();
  }

  /** Messages of a chat are numbered. */
  private static void assertInOrder(World world) {
    Map<String, List<String>> numbered =
        arrived(world).stream()
            .filter(text -> text.matches(".* \\d"))
            .collect(Collectors.groupingBy(text -> text.replaceFirst(" \\d$", "")));
    assertThat(numbered.get("ann")).containsExactly("ann 1", "ann 2", "ann 3");
    assertThat(numbered.get("held up")).containsExactly("held up 1", "held up 2");
    List<String> all = arrived(world);
    assertThat(all.indexOf("under way")).isLessThan(all.indexOf("behind that"));
    assertThat(all.indexOf("tried again")).isLessThan(all.indexOf("behind it"));
  }
}
