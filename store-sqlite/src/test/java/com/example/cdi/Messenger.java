package com.example.cdi;

import dev.postrider.Postrider;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.PostriderConfig;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Opens Postrider with the application, and closes it with it. */
@ApplicationScoped
public class Messenger {

  @Produces
  @Singleton // without a proxy, which the class does not allow
  Postrider open() {
    String file = System.getProperty("shop.outbox", "outbox.db");
    return Postrider.open(
        PostriderConfig.store("sqlite:" + file)
            .account(AccountConfig.of("desk", "console").set("prefix", "> ")));
  }

  void close(@Disposes Postrider postrider) {
    postrider.close();
  }

  /** Sends what is left from before, and listens, although nobody has asked for the bean yet. */
  void begin(@Observes Startup startup, Postrider postrider) {
    postrider.onInbound((message, turn) -> turn.answer("You said: " + message.arrival().text()));
  }
}
