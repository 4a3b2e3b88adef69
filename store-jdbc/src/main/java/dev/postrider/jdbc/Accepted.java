package dev.postrider.jdbc;

import dev.postrider.message.PartState;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import java.util.ArrayList;
import java.util.List;

/** A part that its platform has accepted, and will report on by this receipt. */
public record Accepted(int part, String receipt) {

  /** Those among the parts; nearly always none. */
  public static List<Accepted> of(Progress progress) {
    List<Accepted> accepted = List.of();
    List<PartState> parts = progress.parts();
    for (int i = 0; i < parts.size(); i++) {
      Receipt receipt = parts.get(i).receipt();
      if (receipt != null && receipt.accepted()) {
        accepted = accepted.isEmpty() ? new ArrayList<>() : accepted;
        accepted.add(new Accepted(i, receipt.id()));
      }
    }
    return accepted;
  }
}
