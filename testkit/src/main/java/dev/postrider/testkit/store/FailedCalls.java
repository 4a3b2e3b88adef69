package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreFailure;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.NewMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Calls that cannot be done: each fails by name, alone, and through its future. */
abstract class FailedCalls extends StoreBehaviour {
  FailedCalls(StoreContract contract) {
    super(contract);
  }

  /** A message that nobody can encode: what it holds was changed after it was made. */
  private static NewMessage endless() {
    List<Object> list = new ArrayList<>();
    NewMessage message = to("ann").with(draft -> draft.metadata(Map.of("list", list))).build();
    list.add(list);
    return message;
  }

  @Test
  void a_message_that_cannot_be_encoded_fails_by_name_and_does_not_throw() {
    CompletableFuture<AcceptResult> failed = store.accept(endless());

    assertThat(failure(failed))
        .isInstanceOfSatisfying(
            StoreFailure.class, e -> assertThat(e.operation()).isEqualTo("accept"))
        .hasMessageContaining("accept");
  }

  @Test
  void a_message_that_cannot_be_encoded_does_not_touch_those_beside_it() {
    List<CompletableFuture<AcceptResult>> well = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      well.add(store.accept(to("ann").build()));
      store.accept(endless());
    }

    well.forEach(one -> assertThat(done(one)).isInstanceOf(AcceptResult.Stored.class));
    assertThat(store.list(MessageFilter.ALL, null, 99).items()).hasSize(10);
  }

  @Test
  void calls_to_a_closed_store_say_that_it_is_closed() {
    store.close();

    assertThat(failure(store.touch(at(1)))).isInstanceOf(StoreClosed.class);
    assertThat(failure(store.accept(to("ann").build()))).isInstanceOf(StoreClosed.class);
    assertThat(failure(store.nextExpiry())).isInstanceOf(StoreClosed.class);
    assertThat(failure(store.inboundStore().nextLeaseExpiry())).isInstanceOf(StoreClosed.class);
  }
}
