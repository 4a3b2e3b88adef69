package dev.postrider.internal.account;

import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Remembered;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.store.failure.StoreUnavailable;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An account's part of what the store remembers. Thread-safe. */
final class AccountMemory implements Memory {
  private final String account;
  private final EngineContext context;

  AccountMemory(String account, EngineContext context) {
    this.account = account;
    this.context = context;
  }

  @Override
  public Optional<String> read(@Nullable String chat, String key) {
    return ask(
        () ->
            context
                .store()
                .remembered(account, chat, key, context.time().instant())
                .map(Remembered::value));
  }

  @Override
  public void write(List<Remembered> all) {
    ask(() -> context.time().await(context.store().receive(account, List.of(), null, all)));
  }

  @Override
  public boolean replace(@Nullable String expected, Remembered by) {
    return ask(
        () ->
            context
                .time()
                .await(context.store().remember(account, expected, by, context.time().instant())));
  }

  private static <T> T ask(Supplier<T> question) {
    try {
      return question.get();
    } catch (StoreUnavailable e) {
      throw new NotSentException("the store is away: " + e.getMessage());
    }
  }
}
