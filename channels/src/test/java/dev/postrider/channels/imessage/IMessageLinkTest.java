package dev.postrider.channels.imessage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Alias;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestMemory;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Receipt;
import dev.postrider.testkit.internal.peers.FakeImsg;
import dev.postrider.time.Scheduler;
import dev.postrider.time.SystemScheduler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** With a program that stands in for {@code imsg}, really run. */
class IMessageLinkTest {
  private static final String ANN = "+491701234567";
  private static final String ANN_CHAT = "iMessage;-;" + ANN;
  private static final String TEAM = "iMessage;+;chat123456789";
  private static final Channel CHANNEL = new IMessageChannel();

  @TempDir Path mac;

  private final ImpatientTime time = new ImpatientTime();
  private final TestMemory memory = new TestMemory(time);
  private final List<String> readiness = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Exception> ended = new LinkedBlockingQueue<>();
  private final TestAccount parts = TestAccount.of(AccountConfig.of("mac", "imessage"));
  private @Nullable Thread listener;
  private @Nullable Link link;

  /** Time whose timers can be made to run out. */
  private static final class ImpatientTime implements Scheduler, AutoCloseable {
    private final SystemScheduler system = new SystemScheduler();
    private final Map<Object, Runnable> waiting = new ConcurrentHashMap<>();

    void runOut() {
      List.copyOf(waiting.values()).forEach(Runnable::run);
    }

    @Override
    public Timer after(Duration wait, Runnable task) {
      Object key = new Object();
      Runnable once =
          () -> {
            if (waiting.remove(key) != null) {
              task.run();
            }
          };
      waiting.put(key, once);
      Timer timer = system.after(wait, once);
      return () -> {
        waiting.remove(key);
        timer.cancel();
      };
    }

    @Override
    public Instant instant() {
      return system.instant();
    }

    @Override
    public Duration elapsed() {
      return system.elapsed();
    }

    @Override
    public Task start(String name, Runnable body) {
      return system.start(name, body);
    }

    @Override
    public <T> T await(CompletableFuture<T> future) {
      return system.await(future);
    }

    @Override
    public void close() {
      system.close();
    }
  }

  private record Context(
      AccountConfig config, Scheduler scheduler, Memory memory, List<String> readiness)
      implements AccountContext {
    @Override
    public void ready() {
      readiness.add("ready");
    }

    @Override
    public void notReady(String reason) {
      readiness.add("not ready: " + reason);
    }
  }

  private Link open(String... more) {
    AccountConfig config =
        AccountConfig.of("mac", "imessage")
            .set("command", FakeImsg.command(mac))
            .set("timeout", "10m")
            .set("settle", "0s");
    for (int i = 0; i < more.length; i += 2) {
      config = config.set(more[i], more[i + 1]);
    }
    link = CHANNEL.open(new Context(config, time, memory, readiness));
    return link;
  }

  private Heard listen(Link to, @Nullable String cursor) throws InterruptedException {
    Heard heard = new Heard(cursor);
    listener =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    to.listen(heard);
                  } catch (Exception e) {
                    ended.add(e);
                  }
                });
    return heard;
  }

  private Exception end() throws InterruptedException {
    Exception end = ended.poll(5, TimeUnit.MINUTES);
    assertThat(end).isNotNull();
    return end;
  }

  private static void awaitContent(Path file) throws IOException {
    while (!Files.exists(file) || Files.size(file) == 0) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void whoever_closes_it_while_imsg_is_being_ended_waits_for_its_end() throws Exception {
    Path begun = mac.resolve("begun");
    Path asked = mac.resolve("asked");
    String slow =
        "trap 'echo yes > %s; sleep 1; exit' TERM; echo $$ > %s; while :; do sleep 0.01; done"
            .formatted(asked, begun);
    AccountConfig config =
        AccountConfig.of("mac", "imessage").set("command", List.of("/bin/sh", "-c", slow));
    link = CHANNEL.open(new Context(config, time, memory, readiness));
    listen(link, null);
    awaitContent(begun);
    ProcessHandle imsg =
        ProcessHandle.of(Long.parseLong(Files.readString(begun).strip())).orElseThrow();
    Objects.requireNonNull(listener).interrupt();
    awaitContent(asked);

    link.close();

    assertThat(imsg.isAlive()).isFalse();
  }

  @AfterEach
  void stop() throws Exception {
    if (link != null) {
      link.close();
    }
    if (listener != null) {
      listener.join();
    }
    time.close();
  }

  /** What was handed in, and waiting for it. */
  private static final class Heard implements InboundSink {
    final List<InboundMessage> messages = new CopyOnWriteArrayList<>();
    final List<Alias> aliases = new CopyOnWriteArrayList<>();
    final BlockingQueue<String> signals = new LinkedBlockingQueue<>();
    volatile @Nullable String cursor;

    Heard(@Nullable String cursor) {
      this.cursor = cursor;
    }

    @Override
    public @Nullable String cursor() {
      return cursor;
    }

    @Override
    public void take(
        List<InboundMessage> arrivals,
        List<DeliveryReport> reports,
        @Nullable String readUpTo,
        List<Remembered> remembered) {
      take(arrivals, reports, readUpTo, remembered, List.of());
    }

    @Override
    public void take(
        List<InboundMessage> arrivals,
        List<DeliveryReport> reports,
        @Nullable String readUpTo,
        List<Remembered> remembered,
        List<Alias> names) {
      messages.addAll(arrivals);
      aliases.addAll(names);
      cursor = readUpTo == null ? cursor : readUpTo;
      signals.add("cursor " + cursor);
    }

    @Override
    public void connected() {
      signals.add("connected");
    }

    @Override
    public void failing(String cause) {
      signals.add(cause);
    }

    @Override
    public boolean pause(Duration duration) {
      return true;
    }

    Heard await(String signal) throws InterruptedException {
      String next;
      do {
        next = signals.poll(5, TimeUnit.MINUTES);
        assertThat(next).as("until %s", signal).isNotNull();
      } while (!next.equals(signal));
      return this;
    }
  }

  private record Held(byte[] content) implements PartFile.Bytes {
    @Override
    public long size() {
      return content.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(content);
    }
  }

  private Dispatch file(String to, String name) {
    Attachment file =
        new Attachment(
            "media:" + "a".repeat(64), MediaKind.IMAGE, name, "image/png", 3, false, false);
    Dispatch part = parts.part(to, "unused");
    return new Dispatch(
        part.id(),
        part.message(),
        new Plan(part.id(), List.of(new Part(null, null, List.of(), List.of(file)))),
        0,
        part.state(),
        List.of(new PartFile(file, null, new Held(new byte[] {1, 2, 3}))));
  }

  // ---- one program, everything it is asked

  @Test
  void texts_files_groups_replies_and_what_got_lost_go_through_one_program() throws Exception {
    FakeImsg.add(mac, FakeImsg.message(7, "any;+;chat123456789", "before", false));
    Link imsg = open();
    assertThat(imsg.send(parts.part(ANN, "too early")))
        .isEqualTo(new Outcome.Unreachable("imsg does not run"));
    Heard heard = listen(imsg, null).await("connected");
    assertThat(heard.messages).as("what was there before").isEmpty();

    // A person, and a memory of the last one, so that the same words are not taken for it.
    Outcome.Delivered first = (Outcome.Delivered) imsg.send(parts.part(ANN, "ok"));
    assertThat(first.receipt()).isEqualTo(new Receipt("GUID-8", true));
    memory.write(first.memory());
    Dispatch again = parts.part(ANN, "ok").inDoubt(Instant.now());
    assertThat(imsg.reconcile(again)).isEqualTo(new Reconciliation.Absent());
    FakeImsg.add(mac, FakeImsg.message(9, ANN_CHAT, " ok\n", true));
    assertThat(imsg.reconcile(again))
        .isEqualTo(new Reconciliation.Found(new Receipt("GUID-9", true)));
    assertThat(imsg.send(again)).isEqualTo(new Outcome.Delivered(new Receipt("GUID-9", true)));

    // A group, by the number that this Mac gives it, whatever it calls it.
    imsg.send(parts.part(TEAM, "to all"));
    imsg.send(parts.part("SMS;-;" + ANN, "by phone"));
    imsg.send(parts.part("chat_id:42", "by number"));
    List<JsonNode> sends = FakeImsg.asked(mac, "send");
    assertThat(sends.get(0).path("params").toString())
        .isEqualTo(
            "{\"to\":\"%s\",\"service\":\"auto\",\"text\":\"ok\",\"transport\":\"auto\"}"
                .formatted(ANN));
    assertThat(sends.get(1).path("params").path("chat_id").asLong())
        .isEqualTo(FakeImsg.messages(mac).getFirst().path("chat_id").asLong());
    assertThat(sends.get(2).path("params").path("service").asString()).isEqualTo("sms");
    assertThat(sends.get(3).path("params").path("chat_id").asLong()).isEqualTo(42);

    // A file, under its own name; nothing of it stays behind.
    Dispatch picture = file(ANN, "cat.png");
    assertThat(imsg.send(picture)).isInstanceOf(Outcome.Delivered.class);
    assertThat(mac.resolve("copied-cat.png")).hasBinaryContent(new byte[] {1, 2, 3});
    assertThat(
            Path.of(FakeImsg.asked(mac, "send").getLast().path("params").path("file").asString()))
        .doesNotExist();
    assertThat(imsg.reconcile(picture.inDoubt(Instant.now())))
        .isInstanceOf(Reconciliation.Found.class);

    // Without a bridge a reply becomes a message, and what only the bridge can do is refused.
    Dispatch reply = parts.part(Message.to("mac", ANN).text("yes").replyToId("GUID-7"));
    assertThat(imsg.send(reply))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.DropReply()));
    Dispatch love =
        parts.part(
            Message.to("mac", ANN)
                .channelData(
                    Map.of("reaction", Map.of("messageGuid", "GUID-7", "reaction", "-love"))));
    assertThat(imsg.send(love))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> {
              assertThat(it.blame()).isEqualTo(Blame.MESSAGE);
              assertThat(it.cause()).contains("imsg launch");
            });
    FakeImsg.behave(mac, "bridge", "on");
    assertThat(imsg.send(reply)).isInstanceOf(Outcome.Delivered.class);
    assertThat(FakeImsg.asked(mac, "send.rich").getLast().path("params").toString())
        .contains("\"chat_identifier\":\"%s\"".formatted(ANN), "\"reply_to\":\"GUID-7\"");
    assertThat(imsg.send(love)).isEqualTo(Outcome.delivered("GUID-7"));
    assertThat(imsg.remembers(love, Duration.ZERO)).isEqualTo(Capabilities.FOR_GOOD);
    assertThat(FakeImsg.asked(mac, "tapback").getLast().path("params").toString())
        .contains("\"reaction\":\"love\"", "\"remove\":true");
    imsg.send(
        parts.part(
            Message.to("mac", ANN)
                .text("better")
                .channelData(Map.of("edit", Map.of("messageGuid", "GUID-8")))));
    assertThat(FakeImsg.asked(mac, "message.edit").getLast().path("params").toString())
        .contains("\"message_guid\":\"GUID-8\"", "\"text\":\"better\"");

    // Messages takes it and does not say what it calls it.
    FakeImsg.behave(mac, "send", "ok");
    assertThat(((Outcome.Delivered) imsg.send(parts.part(ANN, "x"))).note())
        .contains("did not say");
    FakeImsg.behave(mac, "send", "AppleScript failed: Not authorized to send Apple events");
    assertThat(imsg.send(parts.part(ANN, "x")))
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class, it -> assertThat(it.cause()).contains("Automation"));
    assertThat(imsg.probe()).isInstanceOf(Probe.Healthy.class);
    assertThat(Files.readAllLines(mac.resolve("starts.jsonl"))).hasSize(1);
    assertThat(heard.messages).as("our own").isEmpty();
  }

  @Test
  void what_came_while_nobody_listened_is_told_in_order_and_not_twice() throws Exception {
    FakeImsg.add(mac, FakeImsg.message(1, ANN_CHAT, "known", false));
    FakeImsg.add(mac, FakeImsg.message(2, ANN_CHAT, "missed", false));
    FakeImsg.add(mac, FakeImsg.message(3, ANN_CHAT, "ours", true));
    Map<String, Object> love = FakeImsg.message(4, "any;+;chat123456789", "", false);
    love.put("is_reaction", true);
    love.put("reaction_type", "love");
    love.put("is_reaction_add", true);
    love.put("reacted_to_guid", "GUID-3");
    FakeImsg.add(mac, love);
    Heard heard = listen(open(), "1").await("cursor 4");

    assertThat(heard.messages)
        .extracting(InboundMessage::chat, InboundMessage::kind, InboundMessage::text)
        .containsExactly(
            org.assertj.core.api.Assertions.tuple(ANN, Kind.MESSAGE, "missed"),
            org.assertj.core.api.Assertions.tuple(TEAM, Kind.REACTION, "love"));
    assertThat(heard.messages.getLast().messageId()).isEqualTo("GUID-3");
    assertThat(heard.aliases).extracting(Alias::toString).anyMatch(it -> it.contains("chat_id:"));

    FakeImsg.add(mac, FakeImsg.message(5, ANN_CHAT, "new", false));
    heard.await("cursor 5");
    assertThat(heard.messages.getLast().text()).isEqualTo("new");
  }

  // ---- a program that does not behave

  @Test
  void a_program_that_dies_in_the_middle_of_a_send_leaves_it_open_and_is_looked_after()
      throws Exception {
    Link imsg = open();
    listen(imsg, "0").await("connected");
    FakeImsg.behave(mac, "send", "send and die");
    Dispatch part = parts.part(ANN, "once");

    assertThat(imsg.send(part)).isInstanceOf(Outcome.Unknown.class);
    assertThat(end()).hasMessageContaining("has ended with 9");
    assertThat(readiness.getLast()).startsWith("not ready:");
    assertThat(imsg.send(part)).isEqualTo(new Outcome.Unreachable("imsg does not run"));

    BlockingQueue<Reconciliation> looked = looking(imsg, part);
    FakeImsg.behave(mac, "send", "");
    listen(imsg, "0").await("connected");
    assertThat(looked.poll(5, TimeUnit.MINUTES))
        .as("once it runs again")
        .isEqualTo(new Reconciliation.Found(new Receipt("GUID-1", true)));
    assertThat(imsg.send(part.inDoubt(Instant.now())))
        .as("it is there")
        .isEqualTo(new Outcome.Delivered(new Receipt("GUID-1", true)));
    assertThat(FakeImsg.asked(mac, "send")).hasSize(1);
  }

  @Test
  void a_program_that_hangs_is_ended_and_the_send_is_open() throws Exception {
    Link imsg = open();
    listen(imsg, "0").await("connected");
    FakeImsg.behave(mac, "send", "hang");
    BlockingQueue<Outcome> outcome = new LinkedBlockingQueue<>();
    Thread.ofVirtual().start(() -> outcome.add(sent(imsg, parts.part(ANN, "x"))));
    while (FakeImsg.asked(mac, "send").isEmpty()) {
      LockSupport.parkNanos(10_000_000);
    }
    time.runOut();
    assertThat(outcome.poll(5, TimeUnit.MINUTES))
        .isInstanceOfSatisfying(
            Outcome.Unknown.class, it -> assertThat(it.cause()).contains("no answer to"));
    assertThat(end()).hasMessageContaining("no answer to");

    BlockingQueue<Reconciliation> looked = looking(imsg, parts.part(ANN, "x"));
    Reconciliation found = null;
    while (found == null) {
      time.runOut();
      found = looked.poll(20, TimeUnit.MILLISECONDS);
    }
    assertThat(found).as("if it does not come back").isEqualTo(new Reconciliation.Inconclusive());
  }

  private static BlockingQueue<Reconciliation> looking(Link imsg, Dispatch part) {
    BlockingQueue<Reconciliation> looked = new LinkedBlockingQueue<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                looked.add(imsg.reconcile(part.inDoubt(Instant.now())));
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    return looked;
  }

  private static Outcome sent(Link imsg, Dispatch part) {
    try {
      return imsg.send(part);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_program_that_hangs_without_being_asked_anything_is_found_out() throws Exception {
    Link imsg = open();
    listen(imsg, "0").await("connected");
    long pid = Long.parseLong(Files.readString(mac.resolve("starts.jsonl")).replaceAll("\\D", ""));
    new ProcessBuilder("kill", "-STOP", Long.toString(pid)).start().waitFor();
    Exception end = null;
    while (end == null) { // it is asked, and then it does not answer
      time.runOut();
      end = ended.poll(20, TimeUnit.MILLISECONDS);
    }
    assertThat(end).hasMessageContaining("no answer to chats.list");
    assertThat(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)).isFalse();
  }

  @Test
  void missing_permissions_are_named_with_the_remedy_by_listening_and_by_a_probe()
      throws Exception {
    FakeImsg.behave(
        mac, "every", "unable to open database file\n\n⚠️  Permission Error: Full Disk Access");
    Link imsg = open();
    assertThat(imsg.probe())
        .isInstanceOfSatisfying(
            Probe.Broken.class,
            it -> assertThat(it.cause()).contains("give Full Disk Access to the program"));
    listen(imsg, "0");
    assertThat(end()).isInstanceOf(ListeningRefused.class).hasMessageContaining("Full Disk Access");
    assertThat(readiness.getLast()).contains("Full Disk Access");
  }

  @Test
  void closing_ends_the_program_at_once_and_no_other_is_started() throws Exception {
    Link imsg = open();
    listen(imsg, "0").await("connected");
    imsg.close();
    end();
    listen(imsg, "0");
    assertThat(end()).hasMessage("the account is closed");
    assertThat(Files.readAllLines(mac.resolve("starts.jsonl"))).hasSize(1);
  }

  @Test
  void two_programs_at_once_cannot_be() throws Exception {
    Link imsg = open();
    listen(imsg, "0").await("connected");
    assertThatThrownBy(() -> imsg.listen(new Heard("0"))).hasMessage("imsg runs already");
    assertThat(imsg.probe()).as("by the one that runs").isInstanceOf(Probe.Healthy.class);
    assertThat(Files.readAllLines(mac.resolve("starts.jsonl"))).hasSize(1);
  }

  @Test
  void a_program_that_is_not_there_and_a_system_that_is_no_mac_are_said_plainly() throws Exception {
    assertThat(open("command", "/no/such/imsg rpc").probe())
        .isInstanceOfSatisfying(
            Probe.Broken.class,
            it -> assertThat(it.cause()).contains("cannot be started", "brew install"));
    String system = System.getProperty("os.name");
    System.setProperty("os.name", "Plan 9");
    try (Link elsewhere =
        CHANNEL.open(
            new Context(AccountConfig.of("mac", "imessage"), time, memory, new ArrayList<>()))) {
      assertThat(elsewhere.probe())
          .isEqualTo(
              new Probe.Broken(
                  "imsg sends on macOS only, and this is Plan 9; run Postrider on the Mac, or use"
                      + " the channel bluebubbles"));
      assertThatThrownBy(() -> elsewhere.listen(new Heard(null)))
          .isInstanceOf(ListeningRefused.class)
          .hasMessageContaining("Plan 9");
    } finally {
      System.setProperty("os.name", system);
    }
  }
}
