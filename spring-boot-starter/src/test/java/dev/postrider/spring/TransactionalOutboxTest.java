package dev.postrider.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.shop.Orders;
import dev.postrider.Delivery;
import dev.postrider.Postrider;
import dev.postrider.channels.sandbox.SandboxChannel;
import dev.postrider.event.Event;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Messages that are handed in with the application's own transactions. */
class TransactionalOutboxTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path folder;
  private final PostgresServer server = PostgresServer.shared();
  private final String url = server.newSchema();
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(PostriderAutoConfiguration.class))
          .withUserConfiguration(Shop.class)
          .withBean(HeardEvents.class)
          .withPropertyValues(
              "postrider.accounts[0].id=shop", "postrider.accounts[0].channel=sandbox")
          .withBean(DataSource.class, () -> new DriverManagerDataSource(server.url()));

  @BeforeEach
  void createTable() {
    server.execute("CREATE TABLE IF NOT EXISTS public.shipment (number integer PRIMARY KEY)");
    server.execute("TRUNCATE public.shipment");
  }

  @AfterEach
  void drop() {
    server.drop(url);
  }

  /** As applications are written. */
  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement
  static class Shop {
    @Bean
    JdbcTransactionManager transactions(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }

    @Bean
    Orders orders(DataSource dataSource, TransactionalOutbox outbox) {
      return new Orders(JdbcClient.create(dataSource), outbox);
    }

    @Bean
    Customers customers(Orders orders) {
      return new Customers(orders);
    }
  }

  /** Its own data, and that the message is handled. */
  static class Customers {
    private final Orders orders;

    Customers(Orders orders) {
      this.orders = orders;
    }

    @Transactional
    @PostriderListener
    public void onMessage(InboundMessage message) {
      orders.ship(Integer.parseInt(String.valueOf(message.text())), message.chat());
    }
  }

  private ApplicationContextRunner onPostgres() {
    return application.withPropertyValues("postrider.store=" + url);
  }

  @Test
  void it_is_taken_if_and_only_if_the_transaction_is_committed() {
    onPostgres()
        .run(
            context -> {
              Orders orders = context.getBean(Orders.class);
              Postrider postrider = context.getBean(Postrider.class);

              Delivery first = orders.ship(1, "ann");
              assertThat(postrider.await(first.id(), PATIENCE).orElseThrow().status())
                  .isEqualTo(Status.DELIVERED);

              assertThatThrownBy(() -> orders.ship(1, "ann")).hasMessageContaining("duplicate key");
              Delivery third = orders.ship(3, "ann");
              assertThat(postrider.await(third.id(), PATIENCE).orElseThrow().status())
                  .isEqualTo(Status.DELIVERED);
              SandboxChannel sandbox = (SandboxChannel) postrider.channel("sandbox").orElseThrow();
              assertThat(sandbox.inbox("shop", "ann", 9))
                  .extracting("text")
                  .containsExactly("Your order 3 has shipped", "Your order 1 has shipped");
            });
  }

  @Test
  void without_a_transaction_it_is_taken_at_once() {
    onPostgres()
        .run(
            context ->
                assertThat(
                        context
                            .getBean(TransactionalOutbox.class)
                            .send(Message.to("shop", "ann").text("hi").build())
                            .await(PATIENCE)
                            .status())
                    .isEqualTo(Status.DELIVERED));
  }

  @Test
  void a_listener_in_a_transaction_joins_it() {
    onPostgres()
        .run(
            context -> {
              Postrider postrider = context.getBean(Postrider.class);
              PostriderListenerTest.write(context, "shop", "77");

              context.getBean(HeardEvents.class).next(Event.InboundHandled.class);
              context.getBean(HeardEvents.class).next(Event.Delivered.class);
              assertThat(
                      JdbcClient.create(context.getBean(DataSource.class))
                          .sql("SELECT number FROM public.shipment")
                          .query(Integer.class)
                          .list())
                  .containsExactly(77);
              assertThat(postrider.stats().queued()).isZero();
            });
  }

  @Test
  void a_store_elsewhere_refuses_to_pretend() {
    application
        .withPropertyValues("postrider.store=sqlite:" + folder.resolve("outbox.db"))
        .run(
            context ->
                assertThatThrownBy(() -> context.getBean(Orders.class).ship(1, "ann"))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("only a store on a shared database"));
  }
}
