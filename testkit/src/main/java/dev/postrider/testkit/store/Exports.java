package dev.postrider.testkit.store;

import dev.postrider.store.Store;
import dev.postrider.store.StoreExport;
import dev.postrider.store.StoreExport.Kind;
import dev.postrider.store.StoreExport.Line;
import dev.postrider.store.StoreExport.Order;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Copies what one store holds into another, and tells what a store holds. */
public final class Exports {
  private static final int FEW = 3; // so that there is more than one batch

  private Exports() {}

  /** Everything but the bytes of files. */
  public static void copy(Store from, Store to) {
    StoreExport target = to.export().orElseThrow();
    for (Kind kind : Kind.values()) {
      List<String> lines = kind == Kind.FILE ? List.of() : lines(from, kind);
      for (int n = 0; n < lines.size(); n += FEW) {
        target.add(kind, lines.subList(n, Math.min(n + FEW, lines.size())));
      }
    }
  }

  /** As they were accepted. */
  public static List<String> lines(Store of, Kind kind) {
    List<String> lines = new ArrayList<>();
    Iterator<Line> all = of.export().orElseThrow().lines(kind, Order.ACCEPTED);
    all.forEachRemaining(line -> lines.add(line.json()));
    return lines;
  }

  /** Every line there is. */
  public static List<String> lines(Store of) {
    List<String> lines = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      lines.addAll(lines(of, kind));
    }
    return lines;
  }
}
