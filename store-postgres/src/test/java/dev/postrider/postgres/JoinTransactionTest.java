package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Delivery;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.testkit.engine.ClusterWorld;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A message that is stored together with the caller's own data, or not at all. */
class JoinTransactionTest {
  private final PostgresServer server = PostgresServer.shared();
  private final String url = server.newSchema();
  private final ClusterWorld world =
      new ClusterWorld((cluster, node, clock) -> VirtualStores.open(url, cluster, node, clock))
          .configure(each -> each.queue(each.queue().with(s -> s.maxAccountDepth = 20)))
          .accounts("bot");
  private Connection connection; // the caller's: to the same database, but another schema

  @BeforeEach
  void start() throws SQLException {
    connection = DriverManager.getConnection(server.url());
    new JdbcSession(connection).execute("CREATE TEMP TABLE shipment (id integer)");
    connection.setAutoCommit(false);
    world.start("n1", "n2");
  }

  @AfterEach
  void stop() throws SQLException {
    world.close();
    connection.close();
    server.drop(url);
  }

  private static Message.Builder hello() {
    return Message.to("bot", "ann").text("shipped");
  }

  private Delivery send(Message.Builder message) {
    return world.node("n1").postrider().send(connection, message.build());
  }

  @Test
  void it_goes_out_once_the_transaction_is_committed_and_not_before() throws Exception {
    new JdbcSession(connection).execute("INSERT INTO shipment VALUES (77)");
    Delivery delivery = send(hello());
    world.agree();
    assertThat(world.platform.texts()).isEmpty();
    assertThat(world.node("n2").postrider().find(delivery.id())).isEmpty();

    connection.commit();
    world.agree();

    assertThat(world.platform.texts()).containsExactly("shipped");
    assertThat(world.node("n2").postrider().find(delivery.id()).orElseThrow().status())
        .isEqualTo(Status.DELIVERED);
  }

  @Test
  void it_never_was_if_the_transaction_is_rolled_back() throws Exception {
    Delivery delivery = send(hello().idempotencyKey("order-77"));
    connection.rollback();
    world.agree();

    assertThat(world.platform.texts()).isEmpty();
    assertThat(world.node("n1").postrider().find(delivery.id())).isEmpty();
    assertThat(world.node("n1").send(hello().idempotencyKey("order-77")).duplicate()).isFalse();
  }

  @Test
  void a_transaction_that_lasts_holds_nobody_up() throws Exception {
    send(hello());
    world.node("n1").send("bot", "ann", "of the same lane");
    world.node("n2").send("bot", "ann", "from the other node");
    world.agree();
    assertThat(world.platform.texts()).containsExactly("of the same lane", "from the other node");

    connection.commit();
    world.agree();
    assertThat(world.platform.texts()).last().isEqualTo("shipped");
  }

  @Test
  void its_end_will_be_followed_like_that_of_any_other() throws Exception {
    send(hello().sessionId("a conversation"));
    send(hello());
    connection.commit();

    try (Connection looking = DriverManager.getConnection(url)) {
      assertThat(new JdbcSession(looking).all("SELECT message FROM follow", row -> row.getLong(1)))
          .hasSize(1);
    }
  }

  @Test
  void several_messages_of_one_transaction_keep_their_order() throws Exception {
    for (int i = 0; i < 5; i++) {
      send(hello().text("m" + i));
    }
    connection.commit();
    world.agree();

    assertThat(world.platform.texts()).containsExactly("m0", "m1", "m2", "m3", "m4");
  }

  @Test
  void an_idempotency_key_holds_inside_it() throws Exception {
    Delivery first = world.node("n2").send(hello().idempotencyKey("order-77"));

    Delivery again = send(hello().idempotencyKey("order-77"));

    assertThat(again.duplicate()).isTrue();
    assertThat(again.id()).isEqualTo(first.id());
    assertThatThrownBy(() -> send(hello().text("other").idempotencyKey("order-77")))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("order-77");
    new JdbcSession(connection).execute("INSERT INTO shipment VALUES (1)"); // it can go on
    connection.commit();
  }

  @Test
  void a_full_queue_takes_none_of_a_transaction_either() throws Exception {
    world.node("n1").postrider().pauseAccount("bot", "full");
    for (int i = 0; i < 20; i++) {
      world.node("n1").send("bot", "ann", "m" + i);
    }

    assertThatThrownBy(() -> send(hello()))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("account 'bot' has 20 messages waiting");
  }

  @Test
  void without_a_transaction_there_is_nothing_to_join() throws Exception {
    connection.setAutoCommit(true);

    assertThatThrownBy(() -> send(hello()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("auto-commit");
  }

  @Test
  void a_message_that_is_wrong_is_refused_and_the_transaction_goes_on() throws Exception {
    assertThatThrownBy(() -> send(Message.to("bit", "ann").text("x")))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("did you mean 'bot'?");
    send(hello());
    connection.commit();
    world.agree();
    assertThat(world.platform.texts()).containsExactly("shipped");
  }
}
