package dev.postrider.store.cluster;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cluster at one moment, by the clock of the store.
 *
 * @param nodes those that have said lately that they live, and those that died lately
 * @param holdings who works what
 */
public record ClusterSnapshot(Instant at, List<Node> nodes, List<Holding> holdings) {
  public ClusterSnapshot {
    nodes = List.copyOf(nodes);
    holdings = List.copyOf(holdings);
  }

  /** The node that holds the account's lease and lives; null if there is none. */
  public @Nullable String owner(String account) {
    return holdings.stream()
        .filter(holding -> holding.account().equals(account))
        .map(Holding::owner)
        .filter(owner -> nodes.stream().anyMatch(node -> node.alive && node.name.equals(owner)))
        .findFirst()
        .orElse(null);
  }

  /** Whether a node that lives is able to work the account. */
  public boolean claims(String account) {
    return nodes.stream().anyMatch(node -> node.alive && node.claims.contains(account));
  }

  /** When the account's lease was taken, or let go; null if nobody has ever had it. */
  public @Nullable Instant since(String account) {
    return holdings.stream()
        .filter(holding -> holding.account().equals(account))
        .map(Holding::since)
        .findFirst()
        .orElse(null);
  }

  /** What the account's owner says of it; null if there is nothing to say, or no owner. */
  public @Nullable AccountReport report(String account) {
    String owner = owner(account);
    return nodes.stream()
        .filter(node -> node.name.equals(owner))
        .flatMap(node -> node.reports.stream())
        .filter(report -> report.account().equals(account))
        .findFirst()
        .orElse(null);
  }

  /**
   * A node.
   *
   * @param address where people find it, or empty
   * @param claims the accounts it is able to work
   * @param alive whether it has said so within the time a lease lasts
   * @param reports on the accounts it works, where there is something to say
   * @param version of Postrider that it is; null: one from before nodes said so
   * @param format of the store, the latest that it knows; null likewise
   */
  public record Node(
      String name,
      String address,
      Instant startedAt,
      Instant seenAt,
      boolean alive,
      Set<String> claims,
      List<AccountReport> reports,
      @Nullable String version,
      @Nullable Integer format) {
    public Node {
      claims = Set.copyOf(claims);
      reports = List.copyOf(reports);
    }
  }

  /**
   * An account's lease.
   *
   * @param owner who holds it; null if nobody does. May be a node that is dead
   * @param since when it was taken, or let go
   * @param arrivals whether messages wait to be taken in by the owner
   * @param changes grows with every change that another node than the owner may have made
   */
  public record Holding(
      String account,
      @Nullable String owner,
      long fence,
      Instant since,
      boolean arrivals,
      long changes) {}
}
