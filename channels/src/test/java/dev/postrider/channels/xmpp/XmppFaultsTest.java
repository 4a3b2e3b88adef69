package dev.postrider.channels.xmpp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.DeafPort;
import dev.postrider.channels.HandTime;
import dev.postrider.channels.TestCertificate;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.Receipt;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a part when the server, or the connection to it, misbehaves. */
class XmppFaultsTest {
  private final HandTime time = new HandTime();
  private FakeXmpp server;
  private Running bot;

  @BeforeEach
  void start() throws Exception {
    server = new FakeXmpp();
    bot = new Running(account(server.port()), time, null);
  }

  @AfterEach
  void stop() throws Exception {
    bot.close();
    server.close();
  }

  private static AccountConfig account(int port) {
    return AccountConfig.of("bot", "xmpp")
        .set("jid", "bot@localhost")
        .set("password", FakeXmpp.PASSWORD)
        .set("host", "127.0.0.1")
        .set("port", port)
        .set("security", "none");
  }

  private static <T> T soon(CompletableFuture<T> future) throws Exception {
    return future.get(2, TimeUnit.MINUTES);
  }

  /** Lets time pass again and again until it has come to something. */
  private <T> T afterTime(Duration step, CompletableFuture<T> future) throws Exception {
    while (!future.isDone()) {
      time.pass(step);
      Thread.onSpinWait();
    }
    return future.get();
  }

  @Test
  void nobody_there_is_an_outage_in_the_same_words() throws Exception {
    try (DeafPort deaf = new DeafPort();
        Running alone = new Running(account(deaf.number()), time, null)) {
      assertThat(soon(alone.listen())).hasMessageContaining("nobody at 127.0.0.1");
      Outcome first = alone.send("ann@localhost", "hello");
      assertThat(first).isInstanceOf(Outcome.Unreachable.class);
      assertThat(alone.send("ann@localhost", "hello")).isEqualTo(first);
    }
  }

  @Test
  void an_acknowledgement_that_never_comes_leaves_it_unknown() throws Exception {
    bot.connect();
    server.answer(it -> it.name().equals("r") ? "" : null);
    var outcome = bot.sending(bot.part("ann@localhost", "hello"));
    server.message();
    assertThat(afterTime(Duration.ofSeconds(10), outcome)).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void a_resumed_session_tells_exactly_what_is_to_be_sent_again() throws Exception {
    var end = bot.connect();
    server.answer(it -> it.name().equals("r") ? "" : null);
    var first = bot.part("ann@localhost", "first");
    var second = bot.part("ben@localhost", "second");
    var one = bot.sending(first);
    server.message();
    var two = bot.sending(second);
    server.message();
    long before =
        server.heard.stream()
            .filter(it -> it.namespace().equals(XmlElement.CLIENT))
            .filter(it -> !"bind".equals(it.get("id")))
            .count();
    server.cut();
    assertThat(soon(one)).isInstanceOf(Outcome.Unknown.class);
    assertThat(soon(two)).isInstanceOf(Outcome.Unknown.class);
    soon(end);

    server.answer(
        it ->
            it.name().equals("resume")
                ? "<resumed xmlns='urn:xmpp:sm:3' previd='s1' h='" + (before - 1) + "'/>"
                : null);
    bot.connect();

    assertThat(bot.link.reconcile(first))
        .isEqualTo(new Reconciliation.Found(new Receipt(first.key(), true)));
    assertThat(bot.link.reconcile(second)).isEqualTo(new Reconciliation.Absent());
    assertThat(server.heard.stream().filter(it -> it.name().equals("resume")).findFirst())
        .hasValueSatisfying(it -> assertThat(it.get("previd")).isEqualTo("s1"));
  }

  @Test
  void what_came_between_a_look_into_the_archive_and_our_appearance_is_heard() throws Exception {
    bot.close();
    server.answer(
        it -> {
          XmlElement query = it.child("query", XmppArchive.MAM);
          boolean here = server.heard.stream().anyMatch(one -> one.name().equals("presence"));
          if (it.child("query", Rooms.DISCO) != null) {
            return result(
                it,
                "<query xmlns='%s'><feature var='%s'/></query>"
                    .formatted(Rooms.DISCO, XmppArchive.MAM));
          }
          return query == null
              ? null
              : (here ? kept(query.get("queryid", ""), "in between") : "")
                  + result(it, "<fin xmlns='%s' complete='true'/>".formatted(XmppArchive.MAM));
        });
    try (Running back = new Running(account(server.port()), time, time.instant().toString())) {
      back.connect();
      assertThat(back.heard.arrival().text()).isEqualTo("in between");
    }
  }

  private static String result(XmlElement iq, String content) {
    return "<iq type='result' from='bot@localhost' id='%s'>%s</iq>"
        .formatted(iq.get("id"), content);
  }

  private static String kept(String query, String text) {
    return """
        <message from='bot@localhost' to='bot@localhost/postrider'>\
        <result xmlns='%s' queryid='%s' id='9'><forwarded xmlns='%s'>\
        <message xmlns='jabber:client' from='ann@localhost/x' to='bot@localhost' id='m1'>\
        <body>%s</body></message></forwarded></result></message>"""
        .formatted(XmppArchive.MAM, query, XmppArchive.FORWARD, text);
  }

  @Test
  void a_refused_resume_that_still_counts_tells_as_much() throws Exception {
    var end = bot.connect();
    server.answer(it -> it.name().equals("r") ? "" : null);
    var part = bot.part("ann@localhost", "first");
    var outcome = bot.sending(part);
    server.message();
    server.cut();
    assertThat(soon(outcome)).isInstanceOf(Outcome.Unknown.class);
    soon(end);
    server.answer(
        it -> it.name().equals("resume") ? "<failed xmlns='urn:xmpp:sm:3' h='1'/>" : null);
    bot.connect();
    assertThat(bot.link.reconcile(part)).isEqualTo(new Reconciliation.Absent());
  }

  @Test
  void a_refused_resume_without_an_archive_leaves_it_to_the_policy() throws Exception {
    var end = bot.connect();
    server.answer(it -> it.name().equals("r") ? "" : null);
    var part = bot.part("ann@localhost", "first");
    var outcome = bot.sending(part);
    server.message();
    server.cut();
    assertThat(soon(outcome)).isInstanceOf(Outcome.Unknown.class);
    soon(end);
    bot.connect();
    assertThat(bot.link.reconcile(part)).isEqualTo(new Reconciliation.Inconclusive());
  }

  @Test
  void a_server_that_does_not_count_acknowledges_by_answering_a_ping() throws Exception {
    server.offer("");
    bot.connect();
    var part = bot.part("ann@localhost", "hello");
    assertThat(bot.link.send(part)).isEqualTo(new Outcome.Delivered(new Receipt(part.key(), true)));
  }

  @Test
  void a_half_open_connection_is_asked_and_then_given_up() throws Exception {
    var end = bot.connect();
    server.answer(_ -> "");
    assertThat(afterTime(Duration.ofSeconds(60), end)).hasMessageContaining("fallen silent");
    bot.awaitState("fallen silent");
  }

  @Test
  void a_quiet_connection_that_answers_stays() throws Exception {
    CountDownLatch asked = new CountDownLatch(2);
    var end = bot.connect();
    server.answer(
        it -> {
          if (it.name().equals("r")) {
            asked.countDown();
          }
          return null;
        });
    assertThat(bot.send("ann@localhost", "now we read")).isInstanceOf(Outcome.Delivered.class);
    time.pass(Duration.ofSeconds(60));
    time.pass(Duration.ofSeconds(60)); // nothing came in between
    assertThat(asked.await(2, TimeUnit.MINUTES)).isTrue();
    assertThat(bot.send("ann@localhost", "hello")).isInstanceOf(Outcome.Delivered.class);
    assertThat(end).isNotDone();
  }

  @Test
  void a_peer_that_does_not_read_holds_nobody_for_ever() throws Exception {
    holdsNobodyWithoutReading(server, bot);
  }

  @Test
  void nor_does_one_that_does_not_read_over_tls(@TempDir Path folder) throws Exception {
    TestCertificate certificate = TestCertificate.make(folder);
    try (FakeXmpp deaf = new FakeXmpp(certificate.server());
        Running secured = new Running(securely(deaf, certificate), time, null)) {
      holdsNobodyWithoutReading(deaf, secured);
    }
  }

  private static AccountConfig securely(FakeXmpp server, TestCertificate certificate) {
    return account(server.port())
        .set("security", "tls")
        .set("caFile", certificate.pem().toString());
  }

  private void holdsNobodyWithoutReading(FakeXmpp deaf, Running to) throws Exception {
    var end = to.connect();
    var stuck = stick(deaf, to);
    var later =
        IntStream.range(0, 20).mapToObj(i -> to.sending(to.part("u@localhost", "x"))).toList();
    assertThat(afterTime(Duration.ofSeconds(60), end)).hasMessageContaining("fallen silent");
    assertThat(afterTime(Duration.ofSeconds(10), stuck)).isInstanceOf(Outcome.Unknown.class);
    for (var each : later) {
      assertThat(afterTime(Duration.ofSeconds(10), each))
          .isInstanceOfAny(Outcome.Unknown.class, Outcome.Unreachable.class);
    }
  }

  /** Sends what no buffer takes to somebody who does not read it. */
  private static CompletableFuture<Outcome> stick(FakeXmpp deaf, Running from) throws Exception {
    CountDownLatch begun = deaf.stopReading();
    var stuck = from.sending(from.part("ann@localhost", "x".repeat(16 << 20)));
    assertThat(begun.await(2, TimeUnit.MINUTES)).isTrue();
    return stuck;
  }

  @Test
  void an_account_whose_peer_does_not_read_is_closed_all_the_same(@TempDir Path folder)
      throws Exception {
    TestCertificate certificate = TestCertificate.make(folder);
    try (FakeXmpp deaf = new FakeXmpp(certificate.server());
        Running secured = new Running(securely(deaf, certificate), time, null)) {
      var end = secured.connect();
      var stuck = stick(deaf, secured);
      soon(CompletableFuture.runAsync(secured.link::close));
      assertThat(soon(end)).hasMessageContaining("closed");
      assertThat(soon(stuck)).isInstanceOf(Outcome.Unknown.class);
    }
  }

  @Test
  void a_stanza_without_an_end_ends_the_connection() throws Exception {
    var end = bot.connect();
    server.say("<message from='ann@localhost'><body>");
    CompletableFuture.runAsync(
        () -> {
          try {
            for (int i = 0; i < 40; i++) {
              server.say("x".repeat(64 * 1024));
            }
          } catch (java.io.IOException _) {
            // nobody listens any more
          }
        });
    assertThat(soon(end)).hasMessageContaining("without an end");
    assertThat(bot.heard.arrivals).isEmpty();
  }

  @Test
  void a_connection_that_is_cut_within_a_stanza_tells_nothing_of_it() throws Exception {
    var end = bot.connect();
    server.say("<message from='ann@localhost' type='chat'><body>half a mess");
    server.cut();
    soon(end);
    assertThat(bot.heard.arrivals).isEmpty();
  }

  @Test
  void entities_and_document_types_are_not_read() throws Exception {
    var end = bot.connect();
    server.say("<message from='ann@localhost'><body>&boom;</body></message>");
    soon(end);
    assertThat(bot.heard.arrivals).isEmpty();
  }

  @Test
  void a_stream_error_is_told_and_a_conflict_waits_for_a_person() throws Exception {
    var end = bot.connect();
    server.say(streamError("system-shutdown"));
    assertThat(soon(end)).hasMessageContaining("system-shutdown");
    end = bot.connect();
    server.say(streamError("conflict"));
    assertThat(soon(end)).isInstanceOf(ListeningRefused.class);
  }

  private static String streamError(String condition) {
    return "<stream:error><"
        + condition
        + " xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>"
        + "</stream:error></stream:stream>";
  }

  @Test
  void an_error_that_comes_later_makes_the_message_fail_unless_a_stranger_says_so()
      throws Exception {
    bot.connect();
    var part = bot.part("ann@localhost", "hello");
    assertThat(bot.link.send(part)).isInstanceOf(Outcome.Delivered.class);
    server.say(bounce("mallory@localhost", part.key()) + bounce("ann@localhost", part.key()));
    DeliveryReport report = bot.heard.report();
    assertThat(report.state()).isEqualTo(DeliveryReport.State.FAILED);
    assertThat(report.detail()).isEqualTo("ann@localhost: gone");
    assertThat(report.permanent()).isTrue();
    assertThat(bot.heard.reports).isEmpty();
  }

  private static String bounce(String from, String id) {
    return ("<message type='error' from='%s' id='%s'><error type='cancel'>"
            + "<gone xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>")
        .formatted(from, id);
  }

  @Test
  void copies_of_our_own_messages_and_forged_copies_are_not_heard() throws Exception {
    bot.connect();
    server.say(
        carbon("bot@localhost", "sent", "bot@localhost/phone", "ann@localhost", "ours")
            + carbon("mallory@localhost", "received", "ann@localhost", "bot@localhost", "forged")
            + carbon("bot@localhost", "received", "ann@localhost/x", "bot@localhost", "real"));
    assertThat(bot.heard.arrival().text()).isEqualTo("real");
    assertThat(bot.heard.arrivals).isEmpty();
  }

  private static String carbon(String from, String kind, String by, String to, String body) {
    return ("<message from='%s' to='bot@localhost/postrider'><%s xmlns='urn:xmpp:carbons:2'>"
            + "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' type='chat'"
            + " from='%s' to='%s' id='%s'><body>%s</body></message></forwarded></%s></message>")
        .formatted(from, kind, by, to, body, body, kind);
  }

  @Test
  void what_is_closed_while_it_connects_stays_closed() throws Exception {
    server.answer(it -> it.name().equals("auth") ? "" : null);
    var end = bot.listen();
    while (server.heard.isEmpty()) {
      Thread.onSpinWait();
    }
    bot.link.close();
    soon(end);
    assertThat(soon(bot.listen())).hasMessageContaining("closed");
    assertThat(server.connections).hasValue(1);
    assertThat(server.mostOpen).hasValue(1);
  }

  @Test
  void without_tls_the_password_itself_is_never_sent() throws Exception {
    server.answer(
        it ->
            it.name().equals("auth")
                ? "<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/></failure>"
                : null);
    assertThat(soon(bot.listen())).isInstanceOf(ListeningRefused.class);
    assertThat(server.heard).extracting(it -> it.get("mechanism")).containsExactly("SCRAM-SHA-1");
  }

  @Test
  void a_server_without_tls_is_told_nothing_where_tls_is_wanted() throws Exception {
    try (Running careful =
        new Running(account(server.port()).set("security", "starttls"), time, null)) {
      assertThat(soon(careful.listen()))
          .isInstanceOf(ListeningRefused.class)
          .hasMessageContaining("offers no TLS");
      assertThat(server.heard).isEmpty();
    }
  }
}
