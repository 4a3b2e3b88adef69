package dev.postrider.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.Postrider;
import dev.postrider.channels.sandbox.SandboxChannel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.server.config.ServerConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** What an application gets by having the starter on its class path. */
class PostriderAutoConfigurationTest {
  @TempDir Path folder;
  private ApplicationContextRunner application;

  @BeforeEach
  void prepare() {
    application =
        new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(PostriderAutoConfiguration.class))
            .withPropertyValues("postrider.store=sqlite:" + folder.resolve("outbox.db"));
  }

  private static Message hello() {
    return Message.to("sandbox", "ann").text("hello").build();
  }

  @Test
  void a_bean_sends_messages_and_ends_with_the_application() {
    application.run(
        context -> {
          Postrider postrider = context.getBean(Postrider.class);
          Delivery delivery = postrider.send(hello());

          assertThat(delivery.await(Duration.ofMinutes(1)).status()).isEqualTo(Status.DELIVERED);
          SandboxChannel sandbox = (SandboxChannel) postrider.channel("sandbox").orElseThrow();
          assertThat(sandbox.inbox("sandbox", "ann", 9))
              .extracting("text")
              .containsExactly("hello");
        });
    application.run( // the store is free again, and still has it
        context -> assertThat(context.getBean(Postrider.class).stats().durable()).isTrue());
  }

  @Test
  void properties_are_those_of_postrider_yaml() throws Exception {
    Path secret =
        Files.writeString(folder.resolve("secret"), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n");
    Path yaml =
        Files.writeString(
            folder.resolve("application.yaml"),
            """
            hook: https://example.org/hook
            postrider:
              accounts:
                - id: shop
                  channel: webhook
                  url: ${hook}
                  secret: ${file:%s}
                  pace: { perMinute: 40, chat: { perSecond: 2 } }
                - id: second
                  channel: sandbox
              channels:
                whatsapp-web: { pace: { perMinute: 7 } }
              delivery:
                backoff: [1s, 2s]
            """
                .formatted(secret));
    application
        .withInitializer(new ConfigDataApplicationContextInitializer())
        .withPropertyValues("spring.config.location=" + yaml.toUri())
        .run(
            context -> {
              ServerConfig config = context.getBean(ServerConfig.class);
              assertThat(config.accountNames()).containsExactlyInAnyOrder("shop", "second");
              assertThat(config.postrider().channelPaces())
                  .containsExactly(Map.entry("whatsapp-web", Pace.perMinute(7)));
              AccountConfig shop = config.postrider().accounts().getFirst();
              assertThat(shop.text("url", "")).isEqualTo("https://example.org/hook");
              assertThat(shop.text("secret", ""))
                  .isEqualTo("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
            });
  }

  @Test
  void a_mistake_is_told_with_its_place_and_its_remedy() throws Exception {
    Path yaml =
        Files.writeString(
            folder.resolve("application.yaml"),
            """
            postrider:
              delivery: { maxAtempts: 5 }
              accounts: [ { id: bot, channel: telegramm } ]
            """);
    application
        .withInitializer(new ConfigDataApplicationContextInitializer())
        .withPropertyValues("spring.config.location=" + yaml.toUri())
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("application.yaml] - 2:")
                    .hasMessageContaining(
                        "delivery.maxAtempts is not known; did you mean 'maxAttempts'?")
                    .hasMessageContaining("telegram"));
  }

  @Test
  void what_only_the_server_does_is_refused() {
    application
        .withPropertyValues(
            "postrider.http.port=8081", "postrider.http.publicUrl=https://a.example")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("http.port is for the server")
                    .hasMessageNotContaining("publicUrl"));
  }

  @Test
  void a_list_of_an_earlier_source_counts_whole() {
    application
        .withPropertyValues("postrider.accounts[0].id=one", "postrider.accounts[0].channel=sandbox")
        .withInitializer(
            context ->
                context
                    .getEnvironment()
                    .getPropertySources()
                    .addLast(
                        new MapPropertySource(
                            "later",
                            Map.of(
                                "postrider.accounts[0].latency", "1s",
                                "postrider.accounts[1].id", "two",
                                "postrider.accounts[1].channel", "sandbox"))))
        .run(
            context ->
                assertThat(context.getBean(ServerConfig.class).values())
                    .extracting(ServerConfig.Shown::key)
                    .containsExactlyInAnyOrder("store", "accounts[0].id", "accounts[0].channel"));
  }

  @Test
  void health_is_up_and_says_why_if_it_is_not() throws Exception {
    application.run(
        context ->
            assertThat(health(context.getBean(HealthIndicator.class)))
                .isEqualTo("UP {queued=0, reasons=[]}"));
    Path file = Files.createFile(folder.resolve("file"));
    application
        .withPropertyValues(
            "postrider.store=sqlite:" + file.resolve("impossible.db"),
            "postrider.storage.onUnavailable=memory")
        .run(
            context ->
                assertThat(health(context.getBean(HealthIndicator.class)))
                    .startsWith("DEGRADED {")
                    .contains("nothing survives a restart"));
  }

  private static String health(HealthIndicator indicator) {
    Health health = indicator.health();
    return health.getStatus().getCode() + " " + new TreeMap<>(health.getDetails());
  }

  @Test
  void metrics_go_to_the_registry_of_the_application() {
    application
        .withInitializer(
            context ->
                ((GenericApplicationContext) context)
                    .registerBean(MeterRegistry.class, SimpleMeterRegistry::new))
        .run(
            context -> {
              context.getBean(Postrider.class).send(hello()).await(Duration.ofMinutes(1));

              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(
                      registry
                          .get("postrider.events")
                          .tags("type", "message.accepted", "account", "sandbox")
                          .counter()
                          .count())
                  .isEqualTo(1);
              assertThat(registry.get("postrider.store.up").gauge().value()).isEqualTo(1);
              assertThat(registry.get("postrider.store.commit").timer().count()).isPositive();
            });
  }

  @Test
  void it_needs_no_actuator_no_metrics_and_no_database_of_the_application() {
    application
        .withClassLoader(
            new FilteredClassLoader(
                "org.springframework.boot.health",
                "io.micrometer",
                "org.springframework.jdbc",
                "org.springframework.transaction"))
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Postrider.class));
  }
}
