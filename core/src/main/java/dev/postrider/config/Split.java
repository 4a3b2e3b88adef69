package dev.postrider.config;

/** Where a long or structured text begins a new part. */
public enum Split {
  /** As few parts as the limit allows. */
  LENGTH,
  /** Every paragraph, list, table or code block is a part of its own. */
  PARAGRAPH,
  /** Every line is a part of its own; a code block stays in one piece if it fits. */
  NEWLINE
}
