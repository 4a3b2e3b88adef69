package dev.postrider.store;

import java.util.List;

/**
 * An entry of another queue, to be stored with its receipt.
 *
 * @param messages in their order; none if there is nothing to be kept of it
 */
public record ImportedEntry(ImportReceipt receipt, List<ImportedMessage> messages) {
  public ImportedEntry {
    messages = List.copyOf(messages);
  }
}
