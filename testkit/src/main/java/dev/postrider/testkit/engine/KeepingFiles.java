package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Hook;
import dev.postrider.channel.InboundFiles.Opened;
import dev.postrider.channel.InboundFiles.Unavailable;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.store.inbound.InboundFile;
import dev.postrider.store.inbound.InboundFile.State;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.StoredInbound;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files of inbound messages, kept so that they outlive the platform's. */
public abstract class KeepingFiles extends EngineBehaviour {
  private Unavailable.@Nullable Why trouble; // null: the platform has the file
  private int asked;

  @BeforeEach
  void aPlatformWithFiles() {
    trouble = null;
    asked = 0;
    world.platform.hook(request -> Hook.Answer.Genuine.of(List.of(arrival(request.text()))));
    world.platform.inboundFiles(
        (_, _) -> {
          asked++;
          if (trouble != null) {
            throw new Unavailable(trouble, "the platform says no");
          }
          byte[] bytes = "a file".getBytes(StandardCharsets.UTF_8);
          return new Opened(new ByteArrayInputStream(bytes), bytes.length);
        });
  }

  private void start(boolean keep) {
    world.account(account -> account.withInbound(account.inbound().with(s -> s.keepMedia = keep)));
    world.start();
  }

  private static InboundMessage arrival(String platformId) {
    return new InboundMessage(
        platformId,
        InboundMessage.Kind.MESSAGE,
        "ann",
        InboundMessage.ChatKind.DM,
        new InboundMessage.Sender("ann", null),
        "look",
        List.of(new InboundMessage.File("document", "f", null, "a.txt", null, null)),
        null,
        null,
        null,
        null,
        Map.of());
  }

  /** Somebody sends a file. */
  private StoredInbound hear(String platformId) {
    world
        .postrider()
        .receive(
            "bot",
            new Hook.Request(
                "POST",
                Map.of(),
                Map.of(),
                platformId.getBytes(StandardCharsets.UTF_8),
                Instant.EPOCH));
    world.time.settle();
    return world.postrider().inbox().list(InboundFilter.ALL, null, 1).items().getFirst();
  }

  private InboundFile file(StoredInbound inbound) {
    List<InboundFile> files = world.postrider().inbox().files(inbound.id());
    assertThat(files).hasSize(1);
    return files.getFirst();
  }

  private String read(StoredInbound inbound) throws IOException {
    try (Opened file = world.postrider().inbox().open(inbound, 0);
        InputStream bytes = file.bytes()) {
      return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void a_kept_file_outlives_the_platforms() throws Exception {
    MediaSettings usual = MediaSettings.DEFAULTS;
    world.configure(
        config ->
            config.media(
                new MediaSettings(
                    usual.largest(),
                    Duration.ofMinutes(10), // as long as a file that nobody needs is kept
                    usual.fetchTimeout(),
                    usual.maxRedirects(),
                    usual.allowedNetworks())));
    start(true);
    StoredInbound inbound = hear("1");
    assertThat(file(inbound).state()).isEqualTo(State.KEPT);
    trouble = Unavailable.Why.GONE;

    assertThat(read(inbound)).isEqualTo("a file");
    world.pass(Duration.ofHours(2));
    world.stop().start();
    assertThat(read(inbound)).isEqualTo("a file");
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void without_keepMedia_the_platform_is_asked_each_time() throws Exception {
    start(false);
    StoredInbound inbound = hear("1");

    assertThat(asked).isZero();
    assertThat(read(inbound)).isEqualTo("a file");
    assertThat(world.postrider().inbox().files(inbound.id())).isEmpty();
    trouble = Unavailable.Why.GONE;
    assertThatThrownBy(() -> read(inbound)).isInstanceOf(Unavailable.class);
  }

  @Test
  void a_file_of_a_platform_that_is_away_is_fetched_later() {
    start(true);
    trouble = Unavailable.Why.UNREACHABLE;
    StoredInbound inbound = hear("1");
    assertThat(file(inbound).state()).isEqualTo(State.PENDING);
    assertThat(file(inbound).error()).contains("says no");

    trouble = null;
    world.pass(Duration.ofSeconds(30));

    assertThat(file(inbound).state()).isEqualTo(State.KEPT);
    assertThat(file(inbound).attempts()).isEqualTo(2);
  }

  @Test
  void a_platform_that_stays_away_is_given_up_on_with_the_reason() {
    start(true);
    trouble = Unavailable.Why.UNREACHABLE;
    StoredInbound inbound = hear("1");

    world.pass(Duration.ofHours(5));

    assertThat(file(inbound).state()).isEqualTo(State.FAILED);
    assertThat(file(inbound).error()).contains("says no");
    assertThat(asked).isEqualTo(8);
  }

  @Test
  void a_file_that_is_gone_is_not_asked_for_again() {
    start(true);
    trouble = Unavailable.Why.GONE;
    StoredInbound inbound = hear("1");

    world.pass(Duration.ofHours(1));

    assertThat(file(inbound).state()).isEqualTo(State.FAILED);
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void what_waited_when_the_process_died_is_fetched_after_the_restart() {
    start(true);
    trouble = Unavailable.Why.UNREACHABLE;
    StoredInbound inbound = hear("1");
    world.crash();
    trouble = null;

    world.start();
    world.pass(Duration.ofMinutes(20));

    assertThat(file(inbound).state()).isEqualTo(State.KEPT);
  }

  @Test
  void a_replayed_message_has_the_files_of_the_first() throws Exception {
    start(true);
    StoredInbound inbound = hear("1");
    for (StoredInbound taken = lease(); taken != null; taken = lease()) {
      UUID lease = Objects.requireNonNull(taken.handling().lease());
      world.postrider().inbox().nack(lease, "no", Duration.ZERO);
      world.time.settle();
    }
    trouble = Unavailable.Why.GONE;

    assertThat(read(world.postrider().inbox().replay(inbound.id()))).isEqualTo("a file");
  }

  private @Nullable StoredInbound lease() {
    List<StoredInbound> taken =
        world.postrider().inbox().lease(Set.of(), 1, Duration.ofMinutes(1), Duration.ZERO);
    return taken.isEmpty() ? null : taken.getFirst();
  }
}
