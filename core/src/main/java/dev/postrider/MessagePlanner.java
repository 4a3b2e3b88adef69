package dev.postrider;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.internal.media.Custody;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import dev.postrider.store.media.Blobs;
import java.time.InstantSource;

/**
 * Plans messages as they are planned when they are handed in, where nothing is sent: for what is
 * imported into a store. Thread-safe; taking files in blocks.
 */
public final class MessagePlanner {
  private final Custody custody;

  /**
   * @param blobs where files are taken in
   */
  public MessagePlanner(Blobs blobs, MediaSettings media, InstantSource clock) {
    this.custody = new Custody(blobs, media, clock);
  }

  /**
   * A message to the chat as its channel spells it, its files in custody, with its plan.
   *
   * @param message as it is to be stored
   */
  public record Planned(Message message, Plan plan) {}

  /**
   * Plans a message for an account, which need not be configured.
   *
   * @throws InvalidInput if a file of it cannot be read, or the channel cannot carry it
   */
  public Planned plan(MessageId id, Message message, Channel channel, AccountConfig account) {
    Capabilities capabilities = channel.capabilities(account).within(account.content());
    String chat = channel.canonical(account, message.to());
    Message held = custody.takeIn(message.withTo(chat));
    Plan plan = Planner.plan(id, held, capabilities, custody::find);
    channel.check(held, plan);
    return new Planned(held, plan);
  }
}
