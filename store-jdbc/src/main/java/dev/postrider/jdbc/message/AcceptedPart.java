package dev.postrider.jdbc.message;

import dev.postrider.message.PartState;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import java.util.ArrayList;
import java.util.List;

/** A part that its platform has accepted, and will report on by this receipt. */
public record AcceptedPart(int part, String receipt) {

  /** Those among the parts; nearly always none. */
  public static List<AcceptedPart> of(Progress progress) {
    List<AcceptedPart> accepted = List.of();
    List<PartState> parts = progress.parts();
    for (int i = 0; i < parts.size(); i++) {
      Receipt receipt = parts.get(i).receipt();
      if (receipt != null && receipt.accepted()) {
        accepted = accepted.isEmpty() ? new ArrayList<>() : accepted;
        accepted.add(new AcceptedPart(i, receipt.id()));
      }
    }
    return accepted;
  }
}
