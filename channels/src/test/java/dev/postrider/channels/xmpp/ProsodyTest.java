package dev.postrider.channels.xmpp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.UploadResult;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Receipt;
import dev.postrider.testkit.internal.crash.Cable;
import dev.postrider.testkit.internal.peers.Prosody;
import dev.postrider.time.SystemScheduler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server that somebody else wrote: its own answers, and what it has kept. */
@VerifiedAgainst(value = "Prosody 0.12", channels = "xmpp")
class ProsodyTest {
  @TempDir static Path folder;
  private static Prosody server;

  private final SystemScheduler time = new SystemScheduler();

  @BeforeAll
  static void start() throws Exception {
    server = Prosody.start(folder);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @AfterEach
  void end() {
    time.close();
  }

  private static AccountConfig account(String user) {
    return AccountConfig.of(user, "xmpp")
        .set("jid", user + "@localhost")
        .set("password", Prosody.PASSWORD)
        .set("host", "127.0.0.1")
        .set("port", server.port())
        .set("caFile", server.certificate().toString());
  }

  private Running open(AccountConfig account) {
    return new Running(account, time, null);
  }

  @Test
  void a_message_is_accepted_when_the_server_has_acknowledged_it_and_arrives() throws Exception {
    try (Running bot = open(account("bot"));
        Running cleo = open(account("cleo"))) {
      bot.connect();
      cleo.connect();

      var part = bot.part("cleo@localhost", "Grüße, <b>&amp;</b> \u0007 *no* ]]>");
      Outcome outcome = bot.link.send(part);

      assertThat(outcome).isEqualTo(new Outcome.Delivered(new Receipt(part.key(), true)));
      InboundMessage came = cleo.heard.arrival();
      assertThat(came.text()).isEqualTo("Grüße, <b>&amp;</b>  *no* ]]>");
      assertThat(came.chat()).isEqualTo("bot@localhost");
      assertThat(came.messageId()).isEqualTo(part.key());
      assertThat(server.archive("bot")).contains(part.key());
    }
  }

  @Test
  void somebody_who_is_not_there_is_refused() throws Exception {
    try (Running bot = open(account("bot"))) {
      bot.connect();

      assertThat(bot.send("nobody@localhost", "hello"))
          .isInstanceOfSatisfying(
              Outcome.Rejected.class, it -> assertThat(it.cause()).contains("service-unavailable"));
    }
  }

  @Test
  void tls_may_begin_with_the_connection_and_a_probe_needs_none_of_ours() throws Exception {
    AccountConfig direct = account("bot").set("security", "tls").set("port", server.tlsPort());
    try (Running bot = open(direct)) {
      assertThat(bot.link.probe()).isEqualTo(new Probe.Healthy("bot@localhost"));
      bot.connect();
      assertThat(bot.link.probe()).isEqualTo(new Probe.Healthy("bot@localhost/postrider"));
    }
  }

  @Test
  void a_wrong_password_is_told_in_a_sentence() throws Exception {
    try (Running bot = open(account("bot").set("password", "wrong"))) {
      assertThat(bot.link.probe())
          .isInstanceOfSatisfying(
              Probe.Broken.class,
              it -> assertThat(it.cause()).contains("not-authorized").contains("password"));
      assertThat(bot.listen().get()).hasMessageContaining("not-authorized");
    }
  }

  @Test
  void a_server_whom_nobody_vouches_for_is_not_believed() throws Exception {
    AccountConfig trusting =
        AccountConfig.of("bot", "xmpp")
            .set("jid", "bot@localhost")
            .set("password", Prosody.PASSWORD)
            .set("host", "127.0.0.1")
            .set("port", server.port());
    try (Running bot = open(trusting)) {
      assertThat(bot.link.probe())
          .isInstanceOfSatisfying(
              Probe.Unreachable.class, it -> assertThat(it.cause()).contains("cannot be trusted"));
    }
  }

  // ---- rooms

  @Test
  void a_room_is_entered_on_demand_and_what_it_shows_is_delivered() throws Exception {
    try (Running bot = open(account("bot"));
        Person ann = new Person(account("ann"), time)) {
      ann.enter("team@rooms.localhost", "Ann");
      bot.connect();

      var part = bot.part("team@rooms.localhost", "hello, all");
      assertThat(bot.link.send(part))
          .isEqualTo(new Outcome.Delivered(new Receipt(part.key(), false)));
      assertThat(ann.next().textOf("body", XmlElement.CLIENT)).isEqualTo("hello, all");

      ann.write("team@rooms.localhost", "hello, bot");
      InboundMessage came = bot.heard.arrival();
      assertThat(came.text()).as("and not our own").isEqualTo("hello, bot");
      assertThat(came.chat()).isEqualTo("team@rooms.localhost");
      assertThat(came.chatKind()).isEqualTo(InboundMessage.ChatKind.GROUP);
      assertThat(came.sender().name()).isEqualTo("Ann");

      var answer =
          bot.part(
              Message.to("bot", "team@rooms.localhost").text("yes").replyToId(came.messageId()));
      bot.link.send(answer);
      assertThat(ann.next().textOf("body", XmlElement.CLIENT)).as("her own").startsWith("hello");
      assertThat(ann.next().xml())
          .contains("<reply xmlns='urn:xmpp:reply:0' id='" + came.messageId() + "'");

      var whisper = bot.part("team@rooms.localhost/Ann", "psst");
      assertThat(bot.link.send(whisper)).isInstanceOf(Outcome.Delivered.class);
      assertThat(ann.next().get("from")).isEqualTo("team@rooms.localhost/bot");

      assertThat(bot.link.reconcile(part))
          .as("by the room's archive")
          .isInstanceOf(Reconciliation.Found.class);
      assertThat(bot.link.reconcile(bot.part("team@rooms.localhost", "never sent")))
          .isInstanceOf(Reconciliation.Absent.class);
    }
  }

  @Test
  void a_room_that_is_not_there_is_not_made() throws Exception {
    try (Running bot = open(account("bot"))) {
      bot.connect();
      for (int i = 0; i < 2; i++) {
        assertThat(bot.send("slip@rooms.localhost", "hello"))
            .isEqualTo(
                new Outcome.Rejected(
                    Outcome.Blame.TARGET,
                    "there is no room slip@rooms.localhost; somebody has to make it first"));
      }
    }
  }

  // ---- a connection that is cut

  private Running over(Cable cable) {
    return open(account("bot").set("port", cable.port()));
  }

  @Test
  void what_the_server_had_before_the_cut_is_not_sent_again() throws Exception {
    try (Cable cable = Cable.to(server.port());
        Running bot = over(cable);
        Person ann = new Person(account("ann"), time)) {
      var end = bot.connect();
      cable.loseAnswers();
      var part = bot.part("ann@localhost", "once");
      var outcome = bot.sending(part);
      ann.next();
      cable.cut();

      assertThat(outcome.get(2, TimeUnit.MINUTES)).isInstanceOf(Outcome.Unknown.class);
      end.get(2, TimeUnit.MINUTES);
      cable.heal();
      bot.connect();
      assertThat(bot.link.reconcile(part))
          .isEqualTo(new Reconciliation.Found(new Receipt(part.key(), true)));
    }
  }

  @Test
  void another_process_finds_in_the_archive_what_arrived_and_what_did_not() throws Exception {
    var arrived = open(account("bot")).part("ann@localhost", "arrived");
    var never = open(account("bot")).part("ann@localhost", "never written");
    try (Running bot = open(account("bot"))) {
      bot.connect();
      bot.link.send(arrived);
    }
    try (Running bot = open(account("bot"))) {
      bot.connect();
      assertThat(bot.link.reconcile(arrived))
          .isEqualTo(new Reconciliation.Found(new Receipt(arrived.key(), true)));
      assertThat(bot.link.reconcile(never)).isEqualTo(new Reconciliation.Absent());
    }
  }

  @Test
  void a_second_program_with_our_resource_puts_the_first_out_for_good() throws Exception {
    try (Running first = open(account("ben"));
        Running second = open(account("ben"))) {
      var end = first.connect();
      second.connect();
      assertThat(end.get(2, TimeUnit.MINUTES))
          .isInstanceOf(ListeningRefused.class)
          .hasMessageContaining("give one of them another resource");
    }
  }

  @Test
  void a_server_whose_power_fails_is_connected_to_anew_and_tells_what_it_had() throws Exception {
    try (Running bot = open(account("bot"))) {
      var end = bot.connect();
      var before = bot.part("ann@localhost", "before");
      assertThat(bot.link.send(before)).isInstanceOf(Outcome.Delivered.class);

      server.stop();
      assertThat(end.get(2, TimeUnit.MINUTES)).isInstanceOf(IOException.class);
      assertThat(bot.send("ann@localhost", "meanwhile")).isInstanceOf(Outcome.Unreachable.class);
      assertThat(bot.listen().get(2, TimeUnit.MINUTES))
          .hasMessageContaining("nobody at 127.0.0.1 port " + server.port());

      server.start();
      bot.connect(); // it knows nothing of the session before
      assertThat(bot.link.reconcile(before))
          .isEqualTo(new Reconciliation.Found(new Receipt(before.key(), true)));
      assertThat(bot.link.reconcile(bot.part("ann@localhost", "never sent")))
          .isInstanceOf(Reconciliation.Absent.class);
      assertThat(bot.send("ann@localhost", "after")).isInstanceOf(Outcome.Delivered.class);
    }
  }

  // ---- in, receipts, files

  @Test
  void what_came_while_we_were_away_is_heard_once_with_its_time() throws Exception {
    String cursor;
    try (Running ben = open(account("ben"))) {
      ben.connect();
      cursor = ben.heard.cursor();
    }
    try (Person ann = new Person(account("ann"), time)) {
      ann.write("ben@localhost", "while you were away");
      ann.session.ask("get", null, XmlElement.of("ping", XmppSession.PING));
    }
    Running ben = new Running(account("ben"), time, cursor);
    try (ben;
        Person ann = new Person(account("ann"), time)) {
      ben.connect();
      ann.write("ben@localhost", "now");
      Map<String, InboundMessage> byId = new LinkedHashMap<>();
      InboundMessage came = ben.heard.arrival();
      while (!"now".equals(came.text())) {
        byId.put(came.platformId(), came);
        came = ben.heard.arrival();
      }
      assertThat(byId.values())
          .extracting(InboundMessage::text)
          .containsExactly("while you were away");
      assertThat(byId.values()).allMatch(one -> one.sentAt() != null);
    }
  }

  @Test
  void receipts_and_markers_are_told_of_the_message_they_are_about() throws Exception {
    try (Running bot = open(account("bot"));
        Person ann = new Person(account("ann"), time)) {
      bot.connect();
      var part = bot.part("ann@localhost", "read me");
      bot.link.send(part);
      ann.next();
      XmlElement about = XmlElement.client("message").with("to", "bot@localhost");
      ann.say(about.add(XmlElement.of("received", "urn:xmpp:receipts").with("id", part.key())));
      ann.say(
          about.add(XmlElement.of("displayed", "urn:xmpp:chat-markers:0").with("id", part.key())));

      assertThat(bot.heard.report().state()).isEqualTo(DeliveryReport.State.DELIVERED);
      DeliveryReport read = bot.heard.report();
      assertThat(read.state()).isEqualTo(DeliveryReport.State.READ);
      assertThat(read.receipt()).isEqualTo(part.key());
    }
  }

  @Test
  void a_file_is_uploaded_where_the_server_says_and_can_be_fetched_there() throws Exception {
    try (Running bot = open(account("bot").set("security", "none"))) {
      bot.connect();
      assertThat(bot.link.upload(file(99_000)))
          .isInstanceOfSatisfying(
              UploadResult.Done.class,
              done -> {
                URI address = URI.create(done.handle().value());
                assertThat(fetched(address)).isEqualTo(99_000);
              });
      assertThat(bot.link.upload(file(101_000)))
          .isInstanceOfSatisfying(
              UploadResult.Failed.class,
              it ->
                  assertThat(it.outcome())
                      .isInstanceOfSatisfying(
                          Outcome.Rejected.class,
                          no -> assertThat(no.cause()).contains("up to 100000 bytes")));
    }
  }

  private static int fetched(URI address) {
    try (InputStream bytes = address.toURL().openStream()) {
      return bytes.readAllBytes().length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PartFile file(int size) {
    byte[] content = new byte[size];
    return new PartFile(
        new Attachment("media:x", MediaKind.IMAGE, "größe 1.png", "image/png", size, false, false),
        null,
        new PartFile.Bytes() {
          @Override
          public long size() {
            return size;
          }

          @Override
          public InputStream open() {
            return new ByteArrayInputStream(content);
          }
        });
  }

  @Test
  void somebody_who_wants_to_see_when_we_are_there_gets_the_answer_of_the_setting()
      throws Exception {
    for (boolean accepts : new boolean[] {false, true}) {
      try (Running bot = open(account("bot").set("acceptContacts", accepts));
          Person ann = new Person(account("ann"), time)) {
        bot.connect();
        ann.say(
            XmlElement.client("presence").with("to", "bot@localhost").with("type", "subscribe"));
        String answer = "";
        while (!answer.contains("subscribed")) {
          XmlElement presence = ann.presences.poll(2, TimeUnit.MINUTES);
          answer = presence == null ? "nothing subscribed" : presence.get("type", "");
        }
        assertThat(answer).isEqualTo(accepts ? "subscribed" : "unsubscribed");
      }
    }
  }
}
