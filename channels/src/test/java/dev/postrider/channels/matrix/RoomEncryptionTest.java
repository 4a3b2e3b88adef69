package dev.postrider.channels.matrix;

import static dev.postrider.channels.matrix.FakeHomeserver.error;
import static dev.postrider.channels.matrix.FakeHomeserver.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestInlet;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RoomEncryptionTest {
  private static final String STATE = "/state/m.room.encryption";
  private static final Reply ENCRYPTED =
      Reply.json(200, "{\"algorithm\":\"m.megolm.v1.aes-sha2\"}");

  private final FakeHomeserver server = new FakeHomeserver();
  private final TestAccount account =
      TestAccount.of(
          AccountConfig.of("mx", "matrix")
              .set("token", "syt-very-secret")
              .set("baseUrl", server.platform.baseUrl())
              .set("sync", true)
              .set("timeout", "5m"));
  private Link link;
  private volatile Reply state = error(404, "M_NOT_FOUND");

  @BeforeEach
  void open() {
    link = new MatrixChannel().open(account);
    server.platform.when(request -> request.path().endsWith(STATE), _ -> state);
  }

  @AfterEach
  void close() {
    link.close();
    server.close();
  }

  private Outcome send(String text) throws Exception {
    return link.send(account.part("!r:x", text));
  }

  private long asked() {
    return server.paths().stream().filter(path -> path.endsWith(STATE)).count();
  }

  @Test
  void nothing_is_written_in_plain_text_into_an_encrypted_room() throws Exception {
    state = ENCRYPTED;

    for (int i = 0; i < 2; i++) {
      assertThat(send("secret plans"))
          .isInstanceOfSatisfying(
              Outcome.Rejected.class,
              rejected -> {
                assertThat(rejected.blame()).isEqualTo(Blame.TARGET);
                assertThat(rejected.cause()).contains("encrypted", "plainInEncryptedRooms");
              });
    }
    assertThat(server.events).isEmpty();
    assertThat(asked()).as("it stays so for good").isOne();
  }

  @Test
  void a_room_that_is_not_encrypted_is_asked_now_and_then() throws Exception {
    assertThat(send("one")).isEqualTo(Outcome.delivered("$1"));
    assertThat(send("two")).isEqualTo(Outcome.delivered("$2"));
    assertThat(asked()).isOne();

    state = ENCRYPTED;
    account.scheduler().pass(Duration.ofMinutes(10));
    assertThat(send("three")).isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void a_room_that_is_heard_to_become_encrypted_is_so_at_once() throws Exception {
    assertThat(send("one")).isEqualTo(Outcome.delivered("$1"));
    server.platform.when(
        request -> request.path().contains("/sync"),
        _ ->
            ok(
                "sync",
                "{'next_batch':'s2','rooms':{'join':{'!r:x':{'timeline':{'events':["
                    + "{'event_id':'$e','sender':'@ann:x','type':'m.room.encryption',"
                    + "'state_key':'','origin_server_ts':1,'content':{}}]}}}}}"));
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                link.listen(new TestInlet("s1", 1));
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            })
        .join();

    assertThat(send("two")).isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void a_homeserver_that_does_not_say_gets_nothing_yet() throws Exception {
    state = Reply.html(502, "Bad Gateway");
    assertThat(send("one")).isInstanceOf(Outcome.NotSent.class);
    state = Reply.json(429, "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"retry_after_ms\":100}");
    assertThat(send("one")).isInstanceOf(Outcome.Throttled.class);
    assertThat(server.events).isEmpty();
  }

  @Test
  void an_account_may_be_allowed_to_write_in_plain_text_anywhere() throws Exception {
    state = ENCRYPTED;
    try (Link plain =
        new MatrixChannel()
            .open(TestAccount.of(account.config().set("plainInEncryptedRooms", true)))) {
      assertThat(plain.send(account.part("!r:x", "hello"))).isEqualTo(Outcome.delivered("$1"));
    }
    assertThat(asked()).isZero();
  }
}
