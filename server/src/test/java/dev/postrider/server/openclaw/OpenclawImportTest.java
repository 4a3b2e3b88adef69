package dev.postrider.server.openclaw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.Durations;
import dev.postrider.message.Format;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.store.StoreExport.Kind;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of each entry of a queue, into a file. */
class OpenclawImportTest {
  @TempDir Path temporary;
  private ImportWorld world = new ImportWorld("", Path.of(""));

  @BeforeEach
  void begin() {
    world = world("sqlite:" + temporary.resolve("postrider.db"));
  }

  private ImportWorld world(String url) {
    return new ImportWorld(url, temporary.resolve("delivery-queue"));
  }

  @AfterEach
  void end() {
    world.close();
  }

  // ---- the genuine queues

  /** A message in a line: what it says and where, and how it stands. */
  private static String row(StoredMessage stored) {
    Message message = stored.message();
    String files = String.join(",", message.media().stream().map(file -> file.url()).toList());
    return "%s/%s %s %s%s%s%s%s%s %d %s"
        .formatted(
            message.account(),
            message.to(),
            message.text(),
            files.isEmpty() ? "" : "[" + files + "] ",
            message.threadId() == null ? "" : "thread " + message.threadId() + " ",
            message.replyToId() == null ? "" : "reply " + message.replyToId() + " ",
            message.silent() ? "silent " : "",
            message.channelData().isEmpty() ? "" : message.channelData().keySet() + " ",
            stored.status().label() + (stored.possibleDuplicate() ? "?" : ""),
            stored.attempts(),
            stored.error());
  }

  private static final String GONE = "media[0].url: names no file that is there";

  private static final List<String> COMMON =
      List.of(
          "discord/123456789012345678 part one thread 998877665544332211"
              + " reply 112233445566778899 silent queued 0 null",
          "slack-work/C0123456789 in a thread — ünïcödé 🧵 thread 1700000000.000100 [blocks]"
              + " queued 0 null",
          "signal/abc== retry me queued 4 HTTP 429: Too Many Requests",
          "telegram/42 hello from a real queue queued 0 null",
          "telegram/43 blocked failed 1 403: Forbidden: bot was blocked by the user",
          "whatsapp/15551234567@c.us gif [file:///srv/media/x.mp4] failed 1 " + GONE);

  private static final List<String> REPLIES_TO_ALL =
      List.of(
          "discord/123456789012345678 with media [file:///srv/media/pic.png]"
              + " thread 998877665544332211 reply 112233445566778899 silent failed 0 "
              + GONE,
          "discord/123456789012345678 null [https://example.invalid/a.jpg]"
              + " thread 998877665544332211 reply 112233445566778899 silent queued 0 null");

  private static final List<String> REPLIES_TO_FIRST =
      List.of(
          "discord/123456789012345678 with media [file:///srv/media/pic.png]"
              + " thread 998877665544332211 silent failed 0 "
              + GONE,
          "discord/123456789012345678 null [https://example.invalid/a.jpg]"
              + " thread 998877665544332211 silent queued 0 null");

  private static final List<String> IN_DOUBT =
      List.of(
          "matrix/!r:hs.local send started, then crash held? 0 its sending had begun at"
              + " 2026-11-15T06:54:05.877Z, and nobody noted how it ended",
          "matrix/!r:hs.local outcome unknown held? 0 its sending had begun at"
              + " 2026-11-15T06:54:05.878Z, and nobody noted how it ended");

  private static final Map<String, List<List<String>>> EXPECTED =
      Map.of(
          "2026.3.31", List.of(COMMON, REPLIES_TO_ALL),
          "2026.4.29", List.of(COMMON, REPLIES_TO_FIRST),
          "2026.5.12", List.of(COMMON, REPLIES_TO_FIRST, IN_DOUBT));

  @ParameterizedTest
  @ValueSource(strings = {"2026.3.31", "2026.4.29", "2026.5.12"})
  void a_genuine_queue_becomes_what_it_should_and_a_second_run_changes_nothing(String release)
      throws IOException {
    becomesWhatItShould(release);
  }

  @Test
  void the_same_on_postgres() throws IOException {
    PostgresServer server = PostgresServer.shared();
    String schema = server.newSchema();
    world.close();
    world = world(schema);
    try {
      becomesWhatItShould("2026.5.12");
    } finally {
      server.drop(schema);
    }
  }

  private void becomesWhatItShould(String release) throws IOException {
    world.queueOf(release);
    world.accounts = Map.of("slack:work", "slack-work");
    Map<String, String> before = world.files();

    ImportReport report = world.run();

    assertThat(world.messages())
        .extracting(OpenclawImportTest::row)
        .containsExactlyInAnyOrderElementsOf(
            EXPECTED.get(release).stream().flatMap(List::stream).toList());
    assertThat(report.left()).isEmpty();
    assertThat(report.entries().get(Fate.DELIVERED)).isEqualTo(1);
    assertThat(report.entries().get(Fate.UNSENDABLE)).isEqualTo(2);
    Map<String, String> renamed = new TreeMap<>();
    before.forEach((name, bytes) -> renamed.put(name + ".migrated", bytes));
    assertThat(world.files()).isEqualTo(renamed);

    List<String> stored = world.everything();
    ImportReport second = world.run();

    assertThat(world.everything()).isEqualTo(stored);
    assertThat(world.files()).isEqualTo(renamed);
    assertThat(second.entries()).isEmpty();
  }

  @Test
  void backoff_goes_on_where_it_was() throws IOException {
    world.queueOf("2026.3.31");

    world.run();

    StoredMessage retried =
        world.messages().stream()
            .filter(message -> "retry me".equals(message.message().text()))
            .findFirst()
            .orElseThrow();
    Instant last = Instant.ofEpochMilli(1794725458731L);
    assertThat(retried.triedAt()).isEqualTo(last);
    assertThat(retried.dueAt()).isEqualTo(last.plus(Durations.parse("10m")));
    assertThat(retried.createdAt()).isEqualTo(Instant.ofEpochMilli(1794725458725L));
    assertThat(retried.expiresAt()).isEqualTo(retried.createdAt().plus(ImportWorld.DAYS));
  }

  @Test
  void several_payloads_stay_in_order_in_one_lane_behind_what_waits_there() throws IOException {
    for (int i = 9; i > 0; i--) {
      world.put(
          "b" + i + ".json",
          entry(ago(i), "'payloads': [{'text': '%1$d'}, {'text': '%1$d+'}]".formatted(i)));
    }

    world.run();
    world.put("c.json", entry(ago(100), "'payloads': [{'text': 'later'}]"));
    world.run();

    assertThat(world.lines(Kind.MESSAGE))
        .extracting(line -> line.path("content").path("text").asString())
        .containsExactly(
            "9", "9+", "8", "8+", "7", "7+", "6", "6+", "5", "5+", "4", "4+", "3", "3+", "2", "2+",
            "1", "1+", "later");
    assertThat(world.lines(Kind.MESSAGE))
        .extracting(line -> line.path("place").asInt())
        .containsExactlyElementsOf(Stream.iterate(1, i -> i + 1).limit(19).toList());
    assertThat(world.lines(Kind.MESSAGE))
        .filteredOn(line -> line.path("head").asBoolean(false))
        .hasSize(1);
  }

  // ---- single entries

  private static long ago(int minutes) {
    return ImportWorld.NOW.minusSeconds(60L * minutes).toEpochMilli();
  }

  /** JSON in single quotes. */
  private static String entry(long enqueuedAt, String more) {
    return """
        {'channel': 'telegram', 'to': '42', 'enqueuedAt': %d, %s}"""
        .formatted(enqueuedAt, more)
        .replace('\'', '"');
  }

  private static String saying(String text) {
    return entry(ago(1), "'payloads': [{'text': '%s'}]".formatted(text));
  }

  private StoredMessage only() {
    List<StoredMessage> all = world.messages();
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  @Test
  void what_is_older_than_the_limit_is_a_dead_letter_and_what_is_as_old_is_sent()
      throws IOException {
    long limit = ImportWorld.NOW.minus(ImportWorld.DAYS).toEpochMilli();
    world.put("old.json", entry(limit - 1, "'payloads': [{'text': 'old'}]"));
    world.put("just.json", entry(limit, "'payloads': [{'text': 'just'}]"));

    world.run();

    assertThat(world.messages())
        .extracting(OpenclawImportTest::row)
        .containsExactly(
            "telegram/42 old expired 0 it was 72 h old when it was imported; --max-age was 3d",
            "telegram/42 just queued 0 null");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-5", "'1794725458723'", "1e300", "1e13", "null", "true", "1.5"})
  void an_entry_of_unknown_age_is_not_sent(String age) throws IOException {
    world.put(
        "x.json",
        "{'channel':'telegram','to':'42','enqueuedAt':%s,'payloads':[{'text':'x'}]}"
            .formatted(age)
            .replace('\'', '"'));

    ImportReport report = world.run();

    assertThat(report.entries()).containsExactly(Map.entry(Fate.UNDATED, 1));
    assertThat(only().status()).isEqualTo(Status.FAILED);
    assertThat(only().reason()).isEqualTo("age-unknown");
    assertThat(only().error()).startsWith("its enqueuedAt is ");
  }

  @Test
  void what_may_have_arrived_is_sent_again_only_on_demand() throws IOException {
    world.put("x.json", entry(ago(1), "'recoveryState': 'new_word', 'payloads': [{'text': 'x'}]"));
    world.resendUnknown = true;

    ImportReport report = world.run();

    assertThat(report.entries()).containsExactly(Map.entry(Fate.RESENT, 1));
    assertThat(only().status()).isEqualTo(Status.QUEUED);
    assertThat(only().possibleDuplicate()).isTrue();
  }

  @Test
  void an_entry_with_a_mark_that_it_was_delivered_is_not_sent() throws IOException {
    world.put("a.delivered", saying("by name"));
    world.put("a.json", saying("by name"));
    world.put("b.delivered", saying("by id").replace("{\"ch", "{\"id\": \"inner\", \"ch"));
    world.put("inner.json", saying("by id"));
    world.put("c.json", saying("by id").replace("{\"ch", "{\"id\": \"inner\", \"ch"));

    ImportReport report = world.run();

    assertThat(world.messages()).isEmpty();
    assertThat(report.entries()).containsExactly(Map.entry(Fate.DELIVERED, 5));
    assertThat(world.files().keySet()).allMatch(name -> name.endsWith(".migrated"));
  }

  @Test
  void what_cannot_be_read_stays_where_it_is_and_the_rest_goes_on() throws IOException {
    world.put("good.json", saying("good"));
    world.put("cut.json", saying("cut").substring(0, 30));
    world.put("empty.json", "");
    world.put("list.json", "[]");
    world.put("two.json", saying("a") + saying("b"));
    world.put("no-payloads.json", entry(ago(1), "'payloads': []"));
    world.put("nothing.json", entry(ago(1), "'payloads': [{'text': ' ', 'isError': false}]"));
    world.put("strange.json", entry(ago(1), "'payloads': [{'poll': {'q': 'why'}}]"));
    world.put("no-chat.json", "{\"channel\": \"telegram\", \"payloads\": [{\"text\": \"x\"}]}");
    world.put("no-channel.json", saying("x").replace("telegram", "carrier-pigeon"));
    world.put("large.json", saying("x".repeat(EntryQueue.LARGEST)));
    world.put("x.json.77.tmp", "{");
    world.put(".delivery-queue.77.abc.tmp", "");
    world.put("notes.txt", "");
    Files.createSymbolicLink(world.folder.resolve("link.json"), Path.of("good.json"));
    Map<String, String> before = world.files();

    ImportReport report = world.run();

    assertThat(only().message().text()).isEqualTo("good");
    assertThat(report.left())
        .extracting(one -> one.name() + ": " + one.reason())
        .containsExactlyInAnyOrder(
            "cut.json: it is not JSON, or cut off",
            "empty.json: it is empty",
            "list.json: it is no JSON object",
            "two.json: it is not JSON, or cut off",
            "no-payloads.json: it has no payloads",
            "nothing.json: there is nothing to send in it",
            "strange.json: there is nothing in payload 1 that can be sent",
            "no-chat.json: its to is missing",
            "no-channel.json: Postrider has no channel 'carrier-pigeon'; say which account takes it"
                + " with --map carrier-pigeon:default=ACCOUNT",
            "large.json: it is larger than 16 MiB",
            "x.json.77.tmp: it is what an interrupted write has left",
            ".delivery-queue.77.abc.tmp: it is what an interrupted write has left",
            "notes.txt: it is no entry of a queue",
            "link.json: it is a link");
    before.put("good.json.migrated", before.remove("good.json"));
    before.remove("link.json"); // which leads nowhere now
    assertThat(world.files()).isEqualTo(before);
    assertThat(Files.isSymbolicLink(world.folder.resolve("link.json"))).isTrue();
  }

  @Test
  void an_id_that_is_there_with_other_content_is_left() throws IOException {
    world.put("x.json", saying("first"));
    world.run();
    world.put("x.json", saying("second"));
    world.put("failed/x.json", saying("first"));

    ImportReport report = world.run();

    assertThat(only().message().text()).isEqualTo("first");
    assertThat(report.left())
        .extracting(one -> one.name() + ": " + one.reason())
        .containsExactly("x.json: an entry of its id was imported before, with other content");
    assertThat(report.entries()).containsExactly(Map.entry(Fate.KNOWN, 1));
    assertThat(world.files().keySet())
        .containsExactly("failed/x.json.migrated", "x.json", "x.json.migrated");
  }

  @Test
  void two_entries_with_one_id_in_the_same_run_are_not_both_taken() throws IOException {
    world.put("failed/x.json", saying("first"));
    world.put("x.json", saying("second"));

    ImportReport report = world.run();

    assertThat(only().message().text()).isEqualTo("first");
    assertThat(report.left()).extracting(EntryQueue.Noted::name).containsExactly("x.json");
  }

  /** The process is killed between the commit and the first, the second, … rename. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4})
  void a_crash_after_the_commit_stores_nothing_twice_and_loses_nothing(int renames)
      throws IOException {
    world.queueOf("2026.5.12");
    Map<String, String> before = world.files();
    world.broken = queue -> new Killed(queue, renames);
    assertThatThrownBy(world::run).hasMessage("killed");
    List<String> stored = world.everything();
    assertThat(stored).anyMatch(line -> line.contains("hello from a real queue"));

    world.broken = queue -> queue;
    ImportReport report = world.run();

    assertThat(world.everything()).isEqualTo(stored);
    assertThat(report.entries().get(Fate.KNOWN)).isEqualTo(8 - renames);
    Map<String, String> renamed = new TreeMap<>();
    before.forEach((name, bytes) -> renamed.put(name + ".migrated", bytes));
    assertThat(world.files()).isEqualTo(renamed);
  }

  /** Dies instead of the rename after so many. */
  private static final class Killed implements EntryQueue {
    private final EntryQueue queue;
    private int renames;

    Killed(EntryQueue queue, int renames) {
      this.queue = queue;
      this.renames = renames + 1;
    }

    @Override
    public List<Place> places() {
      return queue.places();
    }

    @Override
    public List<Noted> left() {
      return queue.left();
    }

    @Override
    public byte[] read(Place place) throws Unusable {
      return queue.read(place);
    }

    @Override
    public void archive(Place place) throws IOException {
      if (renames-- == 0) {
        throw new UncheckedIOException("killed", new IOException());
      }
      queue.archive(place);
    }

    @Override
    public void close() {
      queue.close();
    }
  }

  @Test
  void a_dry_run_changes_nothing_and_says_what_a_run_would_do() throws IOException {
    world.queueOf("2026.5.12");
    world.put("failed/5cf8291e-b2db-4467-9980-18e993832e1e.json", saying("same id"));
    Map<String, String> before = world.files();
    List<String> empty = world.everything();
    world.dryRun = true;

    ImportReport dry = world.run();

    assertThat(world.files()).isEqualTo(before);
    assertThat(world.everything()).isEqualTo(empty);
    world.dryRun = false;
    ImportReport real = world.run();
    assertThat(dry.entries()).isEqualTo(real.entries());
    assertThat(dry.messages()).isEqualTo(real.messages());
    assertThat(dry.left()).isEqualTo(real.left());
    assertThat(dry.waiting()).isEqualTo(real.waiting());
  }

  // ---- accounts, chats, contents

  @Test
  void accounts_are_those_named_or_those_of_the_same_name() throws IOException {
    world.account("tg-main", "telegram");
    world.account("work", "slack");
    world.account("other", "slack");
    world.accounts = Map.of("telegram:default", "tg-main", "matrix", "everything");
    world.put("1.json", saying("mapped, without an account of its own"));
    world.put("2.json", saying("x").replace("{", "{\"accountId\": \"default\", "));
    world.put(
        "3.json",
        saying("x").replace("telegram", "slack").replaceFirst("\\{", "{\"accountId\": \"work\", "));
    world.put(
        "4.json",
        saying("x").replace("telegram", "matrix").replaceFirst("\\{", "{\"accountId\": \"any\", "));
    world.put(
        "5.json",
        saying("x")
            .replace("telegram", "discord")
            .replaceFirst("\\{", "{\"accountId\": \"other\", "));

    ImportReport report = world.run();

    assertThat(world.messages())
        .extracting(stored -> stored.message().account())
        .containsExactly("tg-main", "tg-main", "work", "everything");
    assertThat(report.waiting()).isEqualTo(Map.of("everything", 1));
    assertThat(report.left())
        .extracting(EntryQueue.Noted::reason)
        .containsExactly(
            "account 'other' here is on slack, not on discord; say which one is meant with"
                + " --map discord:other=ACCOUNT");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "telegram telegram:-10042 -10042",
        "telegram telegram:group:-10042:topic:7 -10042",
        "telegram tg:@News @news",
        "discord user:123456789012345678 user:123456789012345678",
        "discord discord:channel:123456789012345678 123456789012345678",
        "slack user:U012 U012",
        "slack #general #general",
        "matrix room:!r:hs.local !r:hs.local",
        "matrix matrix:room:#a:hs.local #a:hs.local",
        "msteams conversation:19:abc@thread.v2 19:abc@thread.v2",
        "signal signal:+15551234567 +15551234567",
        "signal group:zF4sLnZBpSP1eZpRQFVKNg== group.zF4sLnZBpSP1eZpRQFVKNg==",
        "whatsapp whatsapp:+15551234567 15551234567@c.us",
        "zalouser group:12345 group:12345"
      })
  void chats_are_called_as_their_channel_here_calls_them(String words) throws IOException {
    String[] word = words.split(" ");
    world.put(
        "x.json",
        saying("x").replace("telegram", word[0]).replace("\"42\"", "\"" + word[1] + "\""));

    world.run();

    assertThat(only().message().to()).isEqualTo(word[2]);
    assertThat(only().message().threadId()).isEqualTo(word[1].endsWith(":topic:7") ? "7" : null);
  }

  @Test
  void what_postrider_has_no_field_for_stays_with_the_message() throws IOException {
    Path picture =
        Files.write(temporary.resolve("a.gif"), new byte[] {'G', 'I', 'F', '8', '9', 'a'});
    world.put(
        "x.json",
        entry(
            ago(1),
            """
            'threadId': 7, 'formatting': {'parseMode': 'HTML'}, 'bestEffort': true,
            'forceDocument': true, 'mirror': {'sessionKey': 's'}, 'someday': [1, {'a': null}],
            'payloads': [{'text': '<b>x</b>', 'mediaUrls': ['%s'], 'isError': true,
              'channelData': {'slack': {'blocks': []}, 'telegram': {'protect_content': true}}}]"""
                .formatted(picture)));

    world.run();

    Message message = only().message();
    assertThat(message.format()).isEqualTo(Format.NATIVE);
    assertThat(message.threadId()).isEqualTo("7");
    assertThat(message.bestEffort()).isTrue();
    assertThat(message.channelData()).isEqualTo(Map.of("protect_content", true));
    assertThat(message.media()).hasSize(1);
    assertThat(message.media().getFirst().hash()).isNotNull();
    assertThat(message.media().getFirst().asDocument()).isTrue();
    assertThat(message.metadata()).containsEntry("openclawId", "x");
    assertThat(String.valueOf(message.metadata().get("openclaw")))
        .isEqualTo(
            "{channel=telegram, to=42, formatting={parseMode=HTML}, mirror={sessionKey=s},"
                + " someday=[1, {a=null}],"
                + " payload={isError=true, channelData={slack={blocks=[]}}}}");
  }
}
