package dev.postrider.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.cdi.Messenger;
import dev.postrider.Postrider;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How to use the library with CDI, as Jakarta EE and Quarkus have it. */
class CdiExampleTest {
  @TempDir Path folder;

  @Test
  void postrider_opens_and_closes_with_the_container() {
    for (int start = 1; start <= 2; start++) { // the store is free again
      try (SeContainer container = container()) {
        Postrider postrider = container.select(Postrider.class).get();

        assertThat(
                postrider
                    .send(Message.to("desk", "ann").text("hi").build())
                    .await(Duration.ofMinutes(1))
                    .status())
            .isEqualTo(Status.DELIVERED);
      }
    }
  }

  private SeContainer container() {
    System.setProperty("shop.outbox", folder.resolve("outbox.db").toString());
    try {
      return SeContainerInitializer.newInstance()
          .disableDiscovery()
          .addBeanClasses(Messenger.class)
          .initialize();
    } finally {
      System.clearProperty("shop.outbox");
    }
  }
}
