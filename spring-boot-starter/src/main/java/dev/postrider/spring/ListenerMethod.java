package dev.postrider.spring;

import dev.postrider.Turn;
import dev.postrider.config.NearestName;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Message;
import dev.postrider.store.inbound.StoredInbound;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A method that handles what comes in. Thread-safe.
 *
 * @param accounts those that it listens to
 * @param bean found when it is needed, so that none is made too early
 */
record ListenerMethod(
    Set<String> accounts, Set<InboundMessage.Kind> kinds, Supplier<Object> bean, Method method) {

  /**
   * Made of an annotated method.
   *
   * @param all the accounts there are
   * @throws IllegalArgumentException if it cannot be called with what comes in
   */
  static ListenerMethod of(
      PostriderListener listener, Set<String> all, Supplier<Object> bean, Method method) {
    for (Class<?> parameter : method.getParameterTypes()) {
      if (parameter != StoredInbound.class
          && parameter != InboundMessage.class
          && parameter != Turn.class) {
        throw new IllegalArgumentException(
            "%s takes a %s; a @PostriderListener takes StoredInbound, InboundMessage or Turn"
                .formatted(named(method), parameter.getSimpleName()));
      }
    }
    Set<String> accounts = Set.of(listener.accounts());
    for (String account : accounts) {
      if (!all.contains(account)) {
        throw new IllegalArgumentException(
            "%s listens to account '%s', which is not configured%s"
                .formatted(named(method), account, NearestName.hint(account, all)));
      }
    }
    method.trySetAccessible(); // of a class that is not public
    return new ListenerMethod(
        accounts.isEmpty() ? Set.copyOf(all) : accounts, Set.of(listener.kinds()), bean, method);
  }

  boolean takes(String account, InboundMessage.Kind kind) {
    return accounts.contains(account) && kinds.contains(kind);
  }

  /** Whether some messages could go to either. */
  boolean overlaps(ListenerMethod other) {
    return !Collections.disjoint(accounts, other.accounts)
        && !Collections.disjoint(kinds, other.kinds);
  }

  void handle(StoredInbound inbound, Turn turn) throws Exception {
    Object[] arguments =
        Arrays.stream(method.getParameterTypes())
            .map(type -> argument(type, inbound, turn))
            .toArray();
    try {
      answer(turn, method.invoke(bean.get(), arguments));
    } catch (InvocationTargetException e) {
      switch (e.getCause()) {
        case Exception exception -> throw exception;
        case Error error -> throw error;
        case null, default -> throw e;
      }
    }
  }

  private static Object argument(Class<?> type, StoredInbound inbound, Turn turn) {
    return type == Turn.class ? turn : type == StoredInbound.class ? inbound : inbound.arrival();
  }

  private void answer(Turn turn, @Nullable Object returned) {
    switch (returned) {
      case null -> {}
      case CharSequence text -> turn.answer(text.toString());
      case Message message -> turn.answer(message);
      case Collection<?> several -> several.forEach(each -> answer(turn, each));
      default ->
          throw new IllegalStateException(
              "%s returned a %s; the reply is a text, a Message or a collection of them"
                  .formatted(this, returned.getClass().getSimpleName()));
    }
  }

  private static String named(Method method) {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }

  @Override
  public String toString() {
    return named(method);
  }
}
