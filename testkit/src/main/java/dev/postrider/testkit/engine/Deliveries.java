package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.channel.Outcome;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import org.junit.jupiter.api.Test;

/** How single messages go out. */
public abstract class Deliveries extends EngineBehaviour {
  @Test
  void a_message_is_delivered_and_has_its_receipt() {
    world.start();

    Delivery delivery = world.send("ann", "hello");

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.platform.texts()).containsExactly("hello");
    assertThat(world.message(delivery.id()).progress().parts().getFirst().receipt())
        .isEqualTo(new Receipt("r1", false));
    assertThat(world.message(delivery.id()).attempts()).isEqualTo(1);
    assertThat(world.history(delivery)).isEmpty();
  }

  @Test
  void messages_of_one_chat_keep_their_order_when_the_first_must_be_retried() {
    world.start();
    world.platform.then(new Outcome.NotSent("connection refused"));

    world.send("ann", "one");
    world.send("ann", "two");
    assertThat(world.platform.texts()).isEmpty();
    world.pass(seconds(10));

    assertThat(world.platform.texts()).containsExactly("one", "two");
  }
}
