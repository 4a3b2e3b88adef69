package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.ClusterSettings;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Priority;
import dev.postrider.message.Progress;
import dev.postrider.store.Store;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.failure.LeaseLost;
import dev.postrider.store.inbound.LeaseRequest;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.Reservation;
import dev.postrider.time.SystemScheduler;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes wake each other at once. */
class CallsTest {
  private final SystemScheduler time = new SystemScheduler();
  private final Ids ids = new Ids(time, new SplittableRandom());
  private final String url = Schemas.take();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private Store owner;
  private Store other;
  private Lease lease;

  @BeforeEach
  void open() {
    owner = new PostgresStoreProvider().open(url, ClusterSettings.of("owner"), time);
    other = new PostgresStoreProvider().open(url, ClusterSettings.of("other"), time);
    lease = await(owner.acquire("bot", "owner")).orElseThrow();
    cluster().listen(new Listening());
  }

  @AfterEach
  void close() {
    owner.close();
    other.close();
    time.close();
    Schemas.giveBack(url);
  }

  private final class Listening implements Cluster.Listener {
    @Override
    public void arrived(String account) {
      heard.add("arrived " + account);
    }

    @Override
    public void changed(String account) {
      heard.add("changed " + account);
    }

    @Override
    public void leases() {
      heard.add("leases");
    }

    @Override
    public void inboundChanged() {
      heard.add("hand out");
    }

    @Override
    public void missed() {
      heard.add("missed");
    }
  }

  private Cluster cluster() {
    return owner.cluster().orElseThrow();
  }

  private <T> T await(CompletableFuture<T> future) {
    return time.await(future.copy().orTimeout(300, TimeUnit.SECONDS));
  }

  private NewMessage hello() {
    Instant now = time.instant();
    var id = ids.nextMessageId();
    return new NewMessage(
        id,
        Message.to("bot", "ann").text("hello").build(),
        new Plan(id, List.of(Part.plain("hello"))),
        Progress.none(1),
        now,
        now,
        now.plusSeconds(600),
        null,
        1000,
        null,
        null,
        false);
  }

  private void hears(String call) throws InterruptedException {
    assertThat(heard.poll(5, TimeUnit.MINUTES)).isEqualTo(call);
  }

  @Test
  void the_owner_hears_of_an_arrival_and_takes_it_in() throws Exception {
    var stored = (AcceptResult.Stored) await(other.accept(hello()));
    assertThat(stored.head()).isNull();
    hears("arrived bot");

    assertThat(await(cluster().takeIn(lease, time.instant(), 100))).isEqualTo(1);

    assertThat(
            await(
                owner.reserve(
                    stored.message().row(), new Reservation(lease, time.instant(), List.of()))))
        .isPresent();
    assertThat(await(cluster().takeIn(lease, time.instant(), 100))).isZero();
  }

  @Test
  void the_owner_hears_of_changes_but_not_of_its_own() throws Exception {
    await(owner.pauseLane(new PausedLane("bot", "ann", "mine", time.instant())));
    await(other.resumeLane("bot", "ann"));

    hears("changed bot");
    assertThat(heard).isEmpty();
  }

  private NewInbound event(String session) {
    InboundMessage arrival =
        new InboundMessage(
            "e" + ids.next(),
            InboundMessage.Kind.MESSAGE,
            "ann",
            InboundMessage.ChatKind.DM,
            new InboundMessage.Sender("7", null),
            "hello",
            List.of(),
            null,
            null,
            null,
            null,
            Map.of());
    return new NewInbound(new InboundId(ids.next()), arrival, session, time.instant());
  }

  private StoredInbound lease() {
    Instant now = time.instant();
    return await(
            other
                .inboundStore()
                .lease(
                    new LeaseRequest(
                        Set.of("bot"), List.of(ids.next()), now, now.plusSeconds(60), null)))
        .getFirst();
  }

  @Test
  void everybody_hears_that_there_is_something_to_hand_out() throws Exception {
    await(other.receive("bot", List.of(event("a"), event("a"), event("b")), null));
    hears("hand out"); // once

    await(other.inboundStore().complete(InboundFixture.back(lease(), InboundStatus.PENDING)));
    hears("hand out");

    await(other.inboundStore().pauseSession("a", "a pause", time.instant()));
    await(other.inboundStore().pauseSession("b", "a pause", time.instant()));
    await(other.inboundStore().resumeSession("b"));
    hears("hand out");

    StoredInbound ofB = lease();
    await(
        other
            .inboundStore()
            .complete(InboundFixture.back(ofB, InboundStatus.FAILED))); // nobody comes after it
    await(other.inboundStore().replay(ofB.id(), new InboundId(ids.next()), time.instant()));
    hears("hand out");
    assertThat(heard).isEmpty();
  }

  @Test
  void nobody_is_called_for_what_cannot_be_handed_out() throws Exception {
    await(owner.receive("bot", List.of(event("a")), null)); // the listener's own
    await(other.inboundStore().pauseSession("a", "a pause", time.instant()));
    await(other.receive("bot", List.of(event("a")), null)); // behind another

    await(
        other.pauseLane(
            new PausedLane("bot", "ann", "so that something is heard", time.instant())));
    hears("changed bot");
  }

  @Test
  void everybody_hears_that_a_lease_was_let_go() throws Exception {
    Lease others = await(other.acquire("second", "other")).orElseThrow();
    await(other.release(others));

    hears("leases");
  }

  @Test
  void whoever_was_away_is_told_to_look_at_everything() throws Exception {
    try (Connection connection = DriverManager.getConnection(url)) {
      new JdbcSession(connection)
          .execute(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE"
                  + " 'postrider % listener owner'");
    }

    hears("missed");
    await(other.accept(hello()));
    hears("arrived bot");
  }

  @Test
  void a_message_of_a_lane_with_arrivals_waits_behind_them() throws Exception {
    var first = (AcceptResult.Stored) await(other.accept(hello()));
    var second = (AcceptResult.Stored) await(owner.accept(hello())); // the owner has not looked yet

    assertThat(second.head()).isNull();
    await(cluster().takeIn(lease, time.instant(), 100));
    var due = await(owner.due("bot", Priority.LIVE, time.instant().plusSeconds(1), null, 9));
    assertThat(due).hasSize(1);
    assertThat(due.getFirst().row()).isEqualTo(first.message().row());
  }

  @Test
  void whoever_lost_the_account_puts_nothing_into_its_lanes() {
    Instant later = time.instant().plusSeconds(1);
    NewMessage hello = hello();
    NewMessage scheduled =
        new NewMessage(
            hello.id(),
            hello.message(),
            hello.plan(),
            hello.progress(),
            hello.createdAt(),
            later,
            hello.expiresAt(),
            null,
            1000,
            null,
            null,
            false);
    var stored = (AcceptResult.Stored) await(owner.accept(scheduled));
    await(owner.release(lease));
    await(other.acquire("bot", "other"));

    assertThatThrownBy(() -> await(owner.enter("bot", stored.message().row(), later)))
        .isInstanceOf(LeaseLost.class);
    assertThat(await(other.enter("bot", stored.message().row(), later))).isPresent();
  }
}
