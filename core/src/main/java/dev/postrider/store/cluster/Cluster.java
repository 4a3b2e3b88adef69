package dev.postrider.store.cluster;

import dev.postrider.store.Store;
import dev.postrider.store.failure.NameTaken;
import dev.postrider.store.failure.OutdatedNode;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.NewMessage;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What a store that several nodes share offers besides.
 *
 * <p><b>Leases.</b> A lease lasts while its node {@linkplain #beat gives signs of life}. Once a
 * node has been silent for as long as a lease lasts, by the clock of the store, any other may
 * {@link Store#acquire} what it held.
 *
 * <p><b>Arrivals.</b> Any node accepts messages for any account, but only the owner gives them
 * their place. A message accepted by another node waits outside its lane, an arrival, and the owner
 * {@linkplain #takeIn takes it in}. So lanes are never changed by two nodes at once, and accepting
 * waits for nobody.
 *
 * <p>Thread-safe.
 */
public interface Cluster {

  /**
   * The account that stands for the chores of the cluster: whoever holds its lease does the chores.
   */
  String HOUSE = "";

  /** What other nodes have done. Called on a thread of the store's; must not block. */
  interface Listener {
    /** Messages for this account have arrived elsewhere. */
    void arrived(String account);

    /** Something about this account was changed elsewhere: a pause, a message, a lane. */
    void changed(String account);

    /** A lease was let go, or a node has come or gone. */
    void leases();

    /** Something may be handed out that another node has taken in. */
    default void inboundChanged() {}

    /** Something may have been missed: look at everything. */
    void missed();
  }

  /** Tells the listener from now on; there is one. */
  void listen(Listener listener);

  /**
   * What the clock of the store showed when the stopwatch of this process showed zero, as last
   * compared.
   */
  Instant clockZero();

  /** How long a node may be silent before others take over. */
  Duration leaseLength();

  /**
   * Says that the node lives, and gives the cluster as it is now. A node that was forgotten is
   * known again; the leases it lost stay lost.
   *
   * <p>The first sign of life takes the name. If another process takes it after that, the future
   * fails with {@link NameTaken}, here and in {@link Store#acquire}, and nothing that this process
   * writes is taken any more. It fails with {@link OutdatedNode} if a newer version has changed the
   * store in a way that this one does not understand.
   *
   * @param claims the accounts it is able to work
   * @param reports on the accounts it works, for the other nodes
   */
  CompletableFuture<ClusterSnapshot> beat(
      String node, String address, Set<String> claims, List<AccountReport> reports);

  /** Says that the node is gone and holds nothing any more; tells whether it had held anything. */
  CompletableFuture<Boolean> leave(String node);

  /** The cluster as it is now, for people to look at. */
  ClusterSnapshot roll();

  /** Accounts that changed hands lately, the latest first. */
  List<Takeover> takeovers(int limit);

  /**
   * Gives arrivals of the account their place, in the order of their acceptance, at most {@code
   * limit}; tells how many. What may be sent now is found by {@link Store#due}.
   */
  CompletableFuture<Integer> takeIn(Lease lease, Instant now, int limit);

  /**
   * Accepts a message inside the caller's own transaction: it is there if and when that commits,
   * and its account's owner is woken then. The connection must be to this store's database.
   */
  AcceptResult accept(Connection transaction, NewMessage message);
}
