package dev.postrider.bench.peers;

/**
 * What is handed in: the {@code seq}-th of its key.
 *
 * @param n unlike that of any other item
 */
public record Item(int n, String key, int seq) {
  private static final String TEXT = "x".repeat(160);

  static Item of(int n, int keys) {
    return new Item(n, "chat-" + n % keys, n / keys);
  }

  /** One item as text, of about the same size for all. */
  public String text() {
    return n + " " + key + " " + seq + " " + TEXT;
  }

  /** What {@link #text} has written. */
  public static Item parse(String text) {
    String[] words = text.split(" ", 4);
    return new Item(Integer.parseInt(words[0]), words[1], Integer.parseInt(words[2]));
  }
}
