package dev.postrider.server.cli;

import dev.postrider.store.Carried;
import dev.postrider.store.Transfer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves everything from one store to another, then reads both and compares them message by message.
 * What is there already is left as it is, so it can be repeated after an interruption.
 */
final class Move {
  private static final int BATCH = 1_000;

  /**
   * What came of it.
   *
   * @param found messages in the source
   * @param added messages that were not in the target before
   * @param checksum over all messages of the source, in any order
   * @param wrong the ids of messages that are missing in the target, or differ there
   * @param strangers messages in the target that are not in the source
   */
  record Result(
      long found, long added, String checksum, List<String> wrong, boolean notes, long strangers) {
    boolean right() {
      return wrong.isEmpty() && notes;
    }
  }

  private final Transfer source;
  private final Transfer target;

  Move(Transfer source, Transfer target) {
    this.source = source;
    this.target = target;
  }

  /**
   * @param copied told how many have been looked at
   * @param compared told how many have been compared
   */
  Result run(LongConsumer copied, LongConsumer compared) {
    long added = copy(copied);
    Transfer.Notes notes = source.notes();
    target.add(notes);
    return compare(added, notes, compared);
  }

  private long copy(LongConsumer copied) {
    long added = 0;
    long seen = 0;
    List<Carried> batch = source.messages(0, BATCH);
    while (!batch.isEmpty()) {
      added += target.add(batch);
      seen += batch.size();
      copied.accept(seen);
      batch = source.messages(batch.getLast().message().row(), BATCH);
    }
    return added;
  }

  private Result compare(long added, Transfer.Notes notes, LongConsumer compared) {
    byte[] all = new byte[32];
    List<String> wrong = new ArrayList<>();
    long seen = 0;
    List<Carried> batch = source.messages(0, BATCH);
    while (!batch.isEmpty()) {
      Map<String, Carried> there = new HashMap<>();
      target.find(batch).forEach(one -> there.put(one.message().id().toString(), one));
      for (Carried one : batch) {
        String id = one.message().id().toString();
        byte[] checksum = one.checksum();
        for (int i = 0; i < all.length; i++) {
          all[i] ^= checksum[i];
        }
        @Nullable Carried other = there.get(id);
        if (other == null || !Arrays.equals(checksum, other.checksum())) {
          wrong.add(id);
        }
      }
      seen += batch.size();
      compared.accept(seen);
      batch = source.messages(batch.getLast().message().row(), BATCH);
    }
    boolean same =
        target.notes().accounts().containsAll(notes.accounts())
            && target.notes().budgets().containsAll(notes.budgets())
            && target.notes().pausedLanes().containsAll(notes.pausedLanes());
    return new Result(
        seen,
        added,
        HexFormat.of().formatHex(all).substring(0, 16),
        wrong,
        same,
        Math.max(0, target.count() - seen));
  }
}
