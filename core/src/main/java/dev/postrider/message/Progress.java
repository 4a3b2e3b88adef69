package dev.postrider.message;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The states of a message's parts, in the plan's order. */
public record Progress(List<PartState> parts) {
  public Progress {
    parts = List.copyOf(parts);
  }

  public static Progress none(int parts) {
    return new Progress(Collections.nCopies(parts, PartState.PENDING));
  }

  /** The first part that still has to go out, or -1. */
  public int nextPending() {
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).state() == PartState.State.PENDING) {
        return i;
      }
    }
    return -1;
  }

  /** Where the platform said that the chat has gone; null if it is where it was. */
  public @Nullable String movedTo() {
    for (PartState part : parts) {
      if (part.newChat() != null) {
        return part.newChat();
      }
    }
    return null;
  }

  public boolean allDelivered() {
    return parts.stream().allMatch(part -> part.state() == PartState.State.DELIVERED);
  }

  public boolean isFresh() {
    return parts.stream().allMatch(PartState.PENDING::equals);
  }

  public Progress with(int index, PartState state) {
    List<PartState> changed = new ArrayList<>(parts);
    changed.set(index, state);
    return new Progress(changed);
  }

  /** Whether the platform refused parts that it had taken, and no part is in doubt. */
  public boolean refusedLater() {
    return parts.stream().anyMatch(PartState::isRefusedLater)
        && parts.stream().allMatch(part -> part.inDoubtSince() == null);
  }

  /** The same receipts, with parts that failed made pending again: where a replay starts. */
  public Progress forReplay() {
    return new Progress(
        parts.stream()
            .map(part -> part.state() == PartState.State.FAILED ? part.again() : part)
            .toList());
  }
}
