package dev.postrider.spring;

import dev.postrider.Postrider;
import dev.postrider.Turn;
import dev.postrider.store.inbound.StoredInbound;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Hands what comes in to the methods that listen: begins when everything else of the application is
 * up, and ends before anything else of it does, once those that were at work have returned.
 * Thread-safe.
 */
final class PostriderListeners implements SmartLifecycle {
  private final Postrider postrider;
  private final ConfigurableListableBeanFactory beans;
  private List<ListenerMethod> methods = List.of(); // guarded by this
  private @Nullable AutoCloseable handler; // guarded by this
  private int busy; // guarded by this
  private @Nullable Runnable whenIdle; // guarded by this

  PostriderListeners(Postrider postrider, ConfigurableListableBeanFactory beans) {
    this.postrider = postrider;
    this.beans = beans;
  }

  // ---- the life of the application; the default phase begins last and ends first

  @Override
  public synchronized void start() {
    methods = methods();
    Set<String> accounts =
        methods.stream().flatMap(each -> each.accounts().stream()).collect(Collectors.toSet());
    if (!accounts.isEmpty()) { // of none it would take the messages of all accounts
      handler = postrider.onInbound(accounts, this::handle);
    }
  }

  @Override
  public void stop(Runnable callback) {
    boolean idle;
    synchronized (this) {
      close();
      idle = busy == 0;
      whenIdle = idle ? null : callback;
    }
    if (idle) {
      callback.run();
    }
  }

  @Override
  public synchronized void stop() {
    close();
  }

  @Override
  public synchronized boolean isRunning() {
    return handler != null;
  }

  private void close() {
    try (AutoCloseable _ = handler) {
      handler = null;
    } catch (Exception e) {
      throw new IllegalStateException(e); // it throws nothing
    }
  }

  // ---- what comes in

  private void handle(StoredInbound inbound, Turn turn) throws Exception {
    ListenerMethod method = begin(inbound);
    try {
      if (method != null) {
        method.handle(inbound, turn);
      }
    } finally {
      end();
    }
  }

  private synchronized @Nullable ListenerMethod begin(StoredInbound inbound) {
    busy++;
    return methods.stream()
        .filter(each -> each.takes(inbound.account(), inbound.arrival().kind()))
        .findFirst()
        .orElse(null);
  }

  private void end() {
    Runnable last = null;
    synchronized (this) {
      busy--;
      if (busy == 0) {
        last = whenIdle;
        whenIdle = null;
      }
    }
    if (last != null) {
      last.run();
    }
  }

  // ---- the methods

  private List<ListenerMethod> methods() {
    List<ListenerMethod> found = new ArrayList<>();
    for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
      Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
      if (type != null
          && !ScopedProxyUtils.isScopedTarget(name)
          && AnnotationUtils.isCandidateClass(type, PostriderListener.class)) {
        listeners(type).forEach((method, listener) -> add(found, of(name, method, listener)));
      }
    }
    return List.copyOf(found);
  }

  private static Map<Method, PostriderListener> listeners(Class<?> type) {
    return MethodIntrospector.selectMethods(
        type,
        (MethodIntrospector.MetadataLookup<PostriderListener>)
            method -> AnnotatedElementUtils.findMergedAnnotation(method, PostriderListener.class));
  }

  private ListenerMethod of(String name, Method method, PostriderListener listener) {
    Class<?> type = beans.getType(name);
    return ListenerMethod.of(
        listener,
        postrider.accountNames(),
        () -> beans.getBean(name),
        AopUtils.selectInvocableMethod(method, type == null ? method.getDeclaringClass() : type));
  }

  /** Two for one message would compete for it. */
  private static void add(List<ListenerMethod> found, ListenerMethod method) {
    for (ListenerMethod other : found) {
      if (method.overlaps(other)) {
        throw new IllegalStateException(
            "%s and %s listen to the same messages; tell them apart by accounts or kinds"
                .formatted(other, method));
      }
    }
    found.add(method);
  }
}
