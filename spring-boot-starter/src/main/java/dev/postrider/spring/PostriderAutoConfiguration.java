package dev.postrider.spring;

import dev.postrider.Postrider;
import dev.postrider.channels.sandbox.SandboxChannel;
import dev.postrider.event.Events;
import dev.postrider.reminder.run.Reminders;
import dev.postrider.server.api.EngineMetrics;
import dev.postrider.server.api.HealthCheck;
import dev.postrider.server.config.ServerConfig;
import io.micrometer.core.instrument.MeterRegistry;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * Opens Postrider with the application and closes it with it: after everything that uses it, since
 * whatever is still at work may send. Reminders run, too, for whoever works an account fires its
 * reminders. Replace any of it with a bean of your own.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure"
          + ".CompositeMeterRegistryAutoConfiguration"
    })
public class PostriderAutoConfiguration {

  /** The settings, as the server would have them. */
  @Bean
  @ConditionalOnMissingBean
  ServerConfig postriderConfiguration(ConfigurableEnvironment environment) {
    return ApplicationProperties.read(environment, System.getenv());
  }

  /** Told everything from the start: whatever beans listen to events. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Postrider postrider(ServerConfig config, ObjectProvider<Events.Listener> listeners) {
    Postrider postrider = Postrider.open(config.postrider(), listeners.orderedStream().toList());
    if (postrider.channel("sandbox").orElse(null) instanceof SandboxChannel sandbox) {
      sandbox.callBack(postrider::receive);
    }
    return postrider;
  }

  /** Reminders of the accounts that this process works. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Reminders postriderReminders(Postrider postrider, ServerConfig config) {
    return Reminders.open(postrider, config.reminders());
  }

  /** Hands out what comes in. */
  @Bean
  @ConditionalOnMissingBean
  PostriderListeners postriderListeners(
      Postrider postrider, ConfigurableListableBeanFactory beans) {
    return new PostriderListeners(postrider, beans);
  }

  /** With {@code spring-boot-health}, as actuators bring it. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(HealthIndicator.class)
  static class HealthOfPostrider {
    @Bean
    @ConditionalOnMissingBean
    PostriderHealthIndicator postriderHealthIndicator(Postrider postrider, ServerConfig config) {
      return new PostriderHealthIndicator(
          postrider, new HealthCheck(config.health(), config.postrider().store()));
    }
  }

  /** With Micrometer and a registry. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  @ConditionalOnBean(MeterRegistry.class)
  static class MetricsOfPostrider {
    @Bean
    @ConditionalOnMissingBean
    EngineMetrics postriderEngineMetrics(MeterRegistry registry, ServerConfig config) {
      return new EngineMetrics(registry, config.accountNames(), config.dataDirectory());
    }

    @Bean
    PostriderMetrics postriderMetrics(
        EngineMetrics metrics, Postrider postrider, Reminders reminders) {
      return new PostriderMetrics(metrics, postrider, reminders);
    }
  }

  /** With {@code spring-jdbc} and a data source. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DataSourceUtils.class)
  @ConditionalOnSingleCandidate(DataSource.class)
  static class TransactionsOfTheApplication {
    @Bean
    @ConditionalOnMissingBean
    TransactionalOutbox transactionalOutbox(Postrider postrider, DataSource dataSource) {
      return new TransactionalOutbox(postrider, dataSource);
    }
  }
}
