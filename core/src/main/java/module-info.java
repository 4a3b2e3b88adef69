/**
 * Delivers chat messages: the engine, its API, and the extension points for channels and stores.
 *
 * <p>What is not exported may change at any time.
 */
@SuppressWarnings("module") // reminders are compiled later
module dev.postrider.core {
  requires transitive java.sql;
  requires org.slf4j;
  requires static transitive org.jspecify;

  // for those who send and handle messages
  exports dev.postrider;
  exports dev.postrider.config;
  exports dev.postrider.event;
  exports dev.postrider.inbound;
  exports dev.postrider.message;
  exports dev.postrider.problem;
  exports dev.postrider.trace;
  exports dev.postrider.view;

  // for those who write a channel
  exports dev.postrider.channel;
  exports dev.postrider.media;
  exports dev.postrider.time;

  // for those who write a store
  exports dev.postrider.store;
  exports dev.postrider.store.cluster;
  exports dev.postrider.store.failure;
  exports dev.postrider.store.history;
  exports dev.postrider.store.inbound;
  exports dev.postrider.store.media;
  exports dev.postrider.store.message;
  exports dev.postrider.store.reminder;

  // for our own modules
  exports dev.postrider.internal.engine to
      dev.postrider.reminders;
  exports dev.postrider.internal.pace to
      dev.postrider.reminders;

  uses dev.postrider.channel.Channel;
  uses dev.postrider.media.Fetcher;
  uses dev.postrider.store.StoreProvider;
}
