package dev.postrider.store.reminder;

/** How many targets of a run were not reached for a reason. */
public record ReasonCount(String reason, int count) {}
