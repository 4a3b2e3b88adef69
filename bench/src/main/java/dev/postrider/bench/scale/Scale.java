package dev.postrider.bench.scale;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints the tables of docs/scale.md. The same conditions print the same. */
final class Scale {
  private static final List<Integer> SIZES = List.of(10_000, 100_000, 1_000_000);

  private final PrintStream out;

  Scale(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) {
    Conditions conditions;
    try {
      conditions = Conditions.of(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    new Scale(System.out).print(conditions);
  }

  /** Up to the number of accounts, by the usual sizes. */
  void print(Conditions conditions) {
    out.println("Conditions: " + conditions);
    List<Simulation> simulations = new ArrayList<>();
    for (int size : SIZES) {
      if (size < conditions.whole("accounts")) {
        simulations.add(simulate(conditions.with("accounts=" + size, "clusters=0")));
      }
    }
    simulations.add(simulate(conditions));
    needs(simulations);
    growth(simulations.getLast());
    waits(simulations.getLast());
    faults(simulations);
    ledgers(simulations);
  }

  private static Simulation simulate(Conditions conditions) {
    Simulation simulation = new Simulation(conditions);
    new Faults(simulation).plan();
    return simulation.run();
  }

  private void needs(List<Simulation> simulations) {
    head(
        "accounts",
        "messages",
        "busiest second of a cluster, after a fault",
        "clusters for the rate",
        "for the accounts",
        "clusters");
    for (Simulation it : simulations) {
      int busiest = it.clusters.stream().mapToInt(Cluster::busiest).max().orElse(0);
      row(
          count(it.population.accounts),
          count(it.ledger.handedIn()),
          count(busiest),
          count(it.conditions.forRate(it.conditions.peakRate())),
          count(it.conditions.forAccounts()),
          count(it.conditions.clusters()));
    }
  }

  /** Arithmetic, not simulated. */
  private void growth(Simulation it) {
    head("messages per account and day", "at the peak", "clusters for the rate", "clusters");
    for (int more : List.of(1, 10, 100)) {
      Conditions grown =
          it.conditions.with("messages=" + more * it.conditions.real("messages"), "clusters=0");
      row(
          count((long) grown.real("messages")),
          count(Math.round(grown.peakRate())) + "/s",
          count(grown.forRate(grown.peakRate())),
          count(grown.clusters()));
    }
  }

  private void waits(Simulation it) {
    head("who", "what", "day: p50", "p99", "longest", "peak hour: p50", "p99", "longest");
    for (boolean large : List.of(false, true)) {
      for (boolean fanout : List.of(false, true)) {
        Durations day = it.waits.of(large, fanout, false);
        Durations peak = it.waits.of(large, fanout, true);
        row(
            large ? "the " + count(it.waits.largest()) + " largest" : "ordinary accounts",
            fanout ? "fan-outs" : "replies",
            day.quantile(0.5),
            day.quantile(0.99),
            day.longest(),
            peak.quantile(0.5),
            peak.quantile(0.99),
            peak.longest());
      }
    }
  }

  private void faults(List<Simulation> simulations) {
    head("accounts", "fault", "could not send", "felt it", "stood: p50", "p99", "longest");
    for (Simulation it : simulations) {
      for (Fault fault : it.faults) {
        row(
            count(it.population.accounts),
            fault.name,
            share(fault.touched, it),
            share(fault.felt.cardinality(), it),
            fault.stood.quantile(0.5),
            fault.stood.quantile(0.99),
            fault.stood.longest());
      }
    }
  }

  private void ledgers(List<Simulation> simulations) {
    head(
        "accounts",
        "handed in",
        "refused at first",
        "repeated, and said so",
        "lost",
        "twice",
        "out of order");
    for (Simulation it : simulations) {
      row(
          count(it.population.accounts),
          count(it.ledger.handedIn()),
          count(it.refused()),
          count(it.ledger.repeated()),
          count(it.ledger.lost()),
          count(it.ledger.twice()),
          count(it.ledger.outOfOrder()));
    }
  }

  private void head(String... cells) {
    out.println();
    row(cells);
    out.println("|---".repeat(cells.length) + "|");
  }

  private void row(String... cells) {
    out.println("| " + String.join(" | ", cells) + " |");
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String share(int accounts, Simulation it) {
    return String.format(
        Locale.ROOT, "%,d (%.2f %%)", accounts, 100.0 * accounts / it.population.accounts);
  }
}
