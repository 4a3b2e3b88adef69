package dev.postrider.internal.lease;

import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.cluster.ClusterSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An even spread of accounts over the nodes that live and are able to work them.
 *
 * <p>Every node reckons for all of them from the same roll, and does its own part: it takes what
 * falls to it and gives up what falls to others. No node needs to be told by another, and no more
 * accounts change hands than evenness needs.
 *
 * @param take accounts that nobody works and that fall to this node
 * @param give accounts of this node that fall to others
 */
record LeaseBalance(List<String> take, List<String> give) {

  /**
   * @param patience for how long an account may be free before anybody takes it, whoever's turn it
   *     is
   */
  static LeaseBalance of(ClusterSnapshot snapshot, String self, Duration patience) {
    return new Reckoning(snapshot).balance(self, patience);
  }

  /** What a node that lives holds, in reality and then in the reckoning. */
  private record Share(String node, Set<String> claims, Set<String> held) {
    /** The chores are little work, and stay where they are. */
    int load() {
      return held.contains(Cluster.HOUSE) ? held.size() - 1 : held.size();
    }

    boolean isAble(String account) {
      return claims.contains(account);
    }
  }

  private record Move(String account, Share from, Share to) {}

  private static final class Reckoning {
    private final ClusterSnapshot snapshot;
    private final Map<String, Share> shares = new TreeMap<>(); // by node
    private final Map<String, ClusterSnapshot.@Nullable Holding> free =
        new TreeMap<>(); // by account

    Reckoning(ClusterSnapshot snapshot) {
      this.snapshot = snapshot;
      for (ClusterSnapshot.Node node : snapshot.nodes()) {
        if (node.alive()) {
          shares.put(node.name(), new Share(node.name(), node.claims(), new TreeSet<>()));
          node.claims().forEach(account -> free.put(account, null));
        }
      }
      for (ClusterSnapshot.Holding holding : snapshot.holdings()) {
        Share owner = holding.owner() == null ? null : shares.get(holding.owner());
        if (owner != null) {
          owner.held.add(holding.account());
          free.remove(holding.account());
        } else if (free.containsKey(holding.account())) {
          free.put(holding.account(), holding);
        }
      }
    }

    LeaseBalance balance(String self, Duration patience) {
      List<String> take = new ArrayList<>();
      free.forEach(
          (account, holding) -> {
            Share lightest = lightest(account);
            Share own = shares.get(self);
            boolean mine = lightest != null && lightest.node.equals(self);
            boolean neglected = own != null && own.isAble(account) && isOverdue(holding, patience);
            if (mine || neglected) {
              take.add(account);
            }
            if (lightest != null) {
              lightest.held.add(account);
            }
          });
      List<String> give = new ArrayList<>();
      for (Move move = nextMove(); move != null; move = nextMove()) {
        move.from.held.remove(move.account);
        move.to.held.add(move.account);
        if (move.from.node.equals(self) && !take.remove(move.account)) {
          give.add(move.account);
        }
      }
      return new LeaseBalance(take, give);
    }

    /** Whoever should have taken it has not. */
    private boolean isOverdue(ClusterSnapshot.@Nullable Holding holding, Duration patience) {
      return holding != null
          && holding.owner() == null
          && holding.since().plus(patience).isBefore(snapshot.at());
    }

    private @Nullable Share lightest(String account) {
      return shares.values().stream()
          .filter(share -> share.isAble(account))
          .min(Comparator.comparingInt(Share::load))
          .orElse(null);
    }

    /** From a node with the most to one with at least two less; null if it is even. */
    private @Nullable Move nextMove() {
      List<Share> heaviestFirst =
          shares.values().stream().sorted(Comparator.comparingInt(Share::load).reversed()).toList();
      for (Share from : heaviestFirst) {
        for (Share to : heaviestFirst.reversed()) {
          if (from.load() - to.load() < 2) {
            break;
          }
          for (String account : from.held) {
            if (to.isAble(account) && !account.equals(Cluster.HOUSE)) {
              return new Move(account, from, to);
            }
          }
        }
      }
      return null;
    }
  }
}
