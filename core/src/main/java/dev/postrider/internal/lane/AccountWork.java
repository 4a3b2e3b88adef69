package dev.postrider.internal.lane;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Link;
import dev.postrider.config.AccountConfig;
import dev.postrider.event.Events;
import dev.postrider.internal.lease.HeldLease;
import dev.postrider.internal.media.MediaUploads;
import dev.postrider.internal.retry.RetryPolicy;
import dev.postrider.message.MessageId;
import dev.postrider.store.Store;
import dev.postrider.store.message.Lease;
import dev.postrider.time.Scheduler;
import dev.postrider.view.Outage;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What it takes to work one account.
 *
 * @param heldLease the lease under which the account is worked; every write carries it
 * @param incidents who is told of what concerns more than one message
 */
public record AccountWork(
    AccountConfig config,
    Capabilities capabilities,
    Link link,
    Store store,
    Scheduler time,
    Events events,
    RetryPolicy policy,
    MediaUploads mediaUploads,
    HeldLease heldLease,
    Incidents incidents) {

  public String account() {
    return config.id();
  }

  public Lease lease() {
    return heldLease.lease();
  }

  /** Things met on the way of one message that concern others too. */
  public interface Incidents {
    /** The platform refuses the account, at the sight of this message. */
    void accountBroken(String cause, MessageId by);

    /**
     * Whether the account was in order after this message had broken it the same way: then it is
     * the message's own fault.
     */
    boolean brokeItBefore(MessageId message, String cause);

    /** The platform, or one of its servers, cannot be reached; what is for it waits. */
    void unreachable(Outage outage);

    /** It can be reached again. */
    void reachable(Outage outage);

    /**
     * The lane must stop: a message failed and the account wants to be asked. The future completes
     * when it has, for good.
     */
    CompletableFuture<Void> haltLane(String chat, String reason);

    /** The name that this lane's chat is to have from now on; null if it has the right one. */
    @Nullable String newName(String chat);

    /** A chat is about to move; if its lane is stopped, so is the one it moves to. */
    void laneMoves(String from, String to);

    /** It has moved, or has not: whoever knows the names of chats looks again. */
    void laneMoved();

    /** The store does not take writes; the account's work pauses until it does. */
    void storeDown(String reason);

    /** A write went through. */
    void storeUp();
  }
}
