package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Hook;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.problem.Refused;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * What people write in a {@link RandomHistory}, and who answers: a handler in the process for one
 * account, a program outside for the other. Each answers a message once.
 */
final class RandomInbox {
  private static final String HANDLED_HERE = "bot";
  private static final String HANDLED_OUTSIDE = "second";
  private static final Duration LEASE = Duration.ofSeconds(20);

  private final SplittableRandom random;
  private final World world;
  private final RandomFaults faults;
  private final Set<String> told = new HashSet<>(); // and the platform was answered
  private boolean clumsy = true; // handlers fail and forget now and then

  RandomInbox(SplittableRandom random, World world, RandomFaults faults) {
    this.random = random;
    this.world = world;
    this.faults = faults;
    world.platform.hook(RandomInbox::read);
  }

  /** Takes {@code id|chat}. */
  private static Hook.Answer read(Hook.Request request) {
    String[] words = request.text().split("\\|", -1);
    return Hook.Answer.Genuine.of(
        List.of(
            new InboundMessage(
                words[0],
                InboundMessage.Kind.MESSAGE,
                words[1],
                InboundMessage.ChatKind.DM,
                new InboundMessage.Sender("u", null),
                "question",
                List.of(),
                "m" + words[0],
                null,
                null,
                null,
                Map.of("id", words[0]))));
  }

  /** Somebody writes; the platform tells of it until it is answered. */
  void write(String chat) {
    String account = random.nextBoolean() ? HANDLED_HERE : HANDLED_OUTSIDE;
    String id = "in" + told.size();
    byte[] body = (id + "|" + chat).getBytes(StandardCharsets.UTF_8);
    var request = new Hook.Request("POST", Map.of(), Map.of(), body, Instant.EPOCH);
    while (!faults.survives(() -> world.postrider().receive(account, request))) {
      world.time.advance(Duration.ofMillis(random.nextInt(1_500)));
    }
    told.add(id);
  }

  /** The process has started: its handler begins. */
  void started() {
    var unused =
        world
            .postrider()
            .onInbound(
                Set.of(HANDLED_HERE),
                (inbound, turn) -> {
                  world.time.pause(Duration.ofMillis(random.nextInt(2_000)));
                  if (clumsy && random.nextInt(8) == 0) {
                    throw new IllegalStateException("clumsy");
                  }
                  turn.answer("answer");
                });
  }

  /** Somebody outside asks for a few, and answers most of them. */
  void handleOutside() {
    List<StoredInbound> leased = new ArrayList<>();
    faults.survives(
        () ->
            leased.addAll(
                world.postrider().inbox().lease(Set.of(HANDLED_OUTSIDE), 3, LEASE, Duration.ZERO)));
    for (StoredInbound inbound : leased) {
      if (!clumsy || random.nextInt(4) > 0) {
        faults.survives(() -> answer(inbound));
      }
    }
  }

  private void answer(StoredInbound inbound) {
    UUID lease = Objects.requireNonNull(inbound.handling().lease());
    try {
      var answer = world.postrider().inbox().replyTo(inbound).text("answer").build();
      world.postrider().inbox().ack(lease, List.of(answer));
    } catch (Refused e) {
      if (e.why() != Refused.Cause.CONFLICT) { // it took too long
        throw e;
      }
    }
  }

  /** From now on everybody does what they should. */
  void calm() {
    clumsy = false;
  }

  boolean anyOpen() {
    return events().stream().anyMatch(inbound -> !inbound.status().ended());
  }

  private List<StoredInbound> events() {
    return world.postrider().inbox().list(InboundFilter.ALL, null, 1_000).items();
  }

  /** Everything was taken in once and handled, or given up; gives all answers. */
  List<StoredMessage> check() {
    List<StoredMessage> answers = new ArrayList<>();
    assertThat(events().stream().map(inbound -> inbound.arrival().platformId()))
        .containsExactlyInAnyOrderElementsOf(told);
    for (StoredInbound inbound : events()) {
      assertThat(inbound.status().ended()).as("%s has ended", inbound).isTrue();
      List<StoredMessage> caused =
          world.postrider().inbox().turn(inbound.id()).orElseThrow().messages();
      int expected = inbound.status() == InboundStatus.HANDLED ? 1 : 0;
      assertThat(caused).as("answers to %s", inbound).hasSize(expected);
      answers.addAll(caused);
    }
    return answers;
  }
}
