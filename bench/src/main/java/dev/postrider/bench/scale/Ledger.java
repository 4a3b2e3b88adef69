package dev.postrider.bench.scale;

/**
 * What was handed in and what arrived on the platforms, chat by chat. Messages of a chat are
 * numbered as they are handed in, so every arrival can be judged.
 */
final class Ledger {
  private final int[] handedIn;
  private final int[] arrived;
  private long repeated;
  private long twice;
  private long outOfOrder;

  Ledger(int chats) {
    handedIn = new int[chats];
    arrived = new int[chats];
  }

  /** Gives the message its number. */
  int handIn(int chat) {
    return ++handedIn[chat];
  }

  /**
   * @param possibleDuplicate whether the message says that it may have arrived before
   */
  void arrive(int chat, int number, boolean possibleDuplicate) {
    if (number == arrived[chat] + 1) {
      arrived[chat] = number;
    } else if (number == arrived[chat] && possibleDuplicate) {
      repeated++;
    } else if (number <= arrived[chat]) {
      twice++;
    } else {
      outOfOrder++;
      arrived[chat] = number;
    }
  }

  long handedIn() {
    return sum(handedIn);
  }

  /** Handed in and never arrived, if no message is under way any more. */
  long lost() {
    return sum(handedIn) - sum(arrived);
  }

  /** Arrived again after a node died in between, and said so. */
  long repeated() {
    return repeated;
  }

  long twice() {
    return twice;
  }

  long outOfOrder() {
    return outOfOrder;
  }

  private static long sum(int[] numbers) {
    long sum = 0;
    for (int number : numbers) {
      sum += number;
    }
    return sum;
  }
}
