package dev.postrider.internal.account;

import dev.postrider.message.MessageId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Messages at whose sight the platform refused the account. If the account is found in order
 * afterwards and one of them is refused the same way once more, it is the message that is wrong: it
 * wants something this account may not do. Remembers a thousand. Thread-safe.
 */
final class SuspectMessages {
  private static final int KEPT = 1000;

  private final Map<MessageId, String> suspected = new Recent();
  private final Map<MessageId, String> guilty = new Recent();

  private static final class Recent extends LinkedHashMap<MessageId, String> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<MessageId, String> eldest) {
      return size() > KEPT;
    }
  }

  synchronized void broke(MessageId message, String cause) {
    suspected.put(message, cause);
  }

  /** The platform has said so. */
  synchronized void accountIsInOrder() {
    guilty.putAll(suspected);
    suspected.clear();
  }

  synchronized boolean isGuilty(MessageId message, String cause) {
    return cause.equals(guilty.get(message));
  }
}
