package dev.postrider.testkit.engine;

import dev.postrider.channel.Hook;
import dev.postrider.config.InboundSettings;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** Base of the suites about what people write to an account. */
abstract class InboundBehaviour extends EngineBehaviour {
  private int told;

  @BeforeEach
  void peopleCanWrite() {
    world.platform.hook(InboundBehaviour::read);
    steadyBackoff();
    inbound(settings -> settings.jitter = 0);
  }

  protected void inbound(Consumer<InboundSettings.Draft> change) {
    world.account(account -> account.withInbound(account.inbound().with(change)));
  }

  /** Takes {@code id|chat|thread|text}. */
  private static Hook.Answer read(Hook.Request request) {
    String[] words = request.text().split("\\|", -1);
    String thread = words[2].isEmpty() ? null : words[2];
    return Hook.Answer.Genuine.of(
        List.of(arrival(words[0], words[1], thread, words[3], List.of())));
  }

  protected static InboundMessage arrival(
      String platformId,
      String chat,
      @Nullable String thread,
      String text,
      List<InboundMessage.File> files) {
    return new InboundMessage(
        platformId,
        InboundMessage.Kind.MESSAGE,
        chat,
        InboundMessage.ChatKind.DM,
        new InboundMessage.Sender("u-" + chat, null),
        text,
        files,
        "m" + platformId,
        null,
        thread,
        null,
        Map.of("id", platformId));
  }

  /** Somebody writes; gives the message as it is stored. */
  protected StoredInbound write(String chat, String text) {
    return write(chat, null, text);
  }

  protected StoredInbound write(String chat, @Nullable String thread, String text) {
    told++;
    tell(told, chat, thread, text);
    world.time.settle();
    return events().stream()
        .filter(inbound -> inbound.arrival().platformId().equals("" + told))
        .findFirst()
        .orElseThrow();
  }

  /** The platform tells of it, perhaps again. */
  protected void tell(int platformId, String chat, @Nullable String thread, String text) {
    String body = platformId + "|" + chat + "|" + (thread == null ? "" : thread) + "|" + text;
    world
        .postrider()
        .receive(
            "bot",
            new Hook.Request(
                "POST", Map.of(), Map.of(), body.getBytes(StandardCharsets.UTF_8), Instant.EPOCH));
  }

  /** All that came in, the oldest first. */
  protected List<StoredInbound> events() {
    return world.postrider().inbox().list(InboundFilter.ALL, null, 1_000).items().reversed();
  }

  protected StoredInbound now(StoredInbound inbound) {
    return now(inbound.id());
  }

  protected StoredInbound now(InboundId id) {
    return world.postrider().inbox().find(id).orElseThrow();
  }

  /** What the turn of an event has caused. */
  protected List<StoredMessage> caused(StoredInbound inbound) {
    return world.postrider().inbox().turn(inbound.id()).orElseThrow().messages();
  }

  /** Somebody outside asks for one message, and does not wait. */
  protected StoredInbound lease(Duration length) {
    return leaseAll(length, 1).getFirst();
  }

  protected List<StoredInbound> leaseAll(Duration length, int max) {
    List<StoredInbound> leased =
        world.postrider().inbox().lease(Set.of(), max, length, Duration.ZERO);
    world.time.settle();
    return leased;
  }

  protected static String text(StoredInbound inbound) {
    return String.valueOf(inbound.arrival().text());
  }
}
