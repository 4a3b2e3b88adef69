package dev.postrider.channels.email;

import dev.postrider.channel.Memory;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an answer to a mail takes over from it: kept of every mail that comes and goes, so that mail
 * programs show both as one conversation (RFC 5322, 3.6.4).
 *
 * @param subject as that mail has it
 * @param references the mails it refers to and itself, the oldest first
 */
record MailThread(String subject, List<String> references) {
  private static final Duration KEPT = Duration.ofDays(90);

  /** The first names the thread; of the others the latest are enough. */
  private static final int MOST = 20;

  private static final Pattern REPLY = Pattern.compile("(?i)^\\s*(re|aw|sv|antw)\\s*:.*");

  /** Of a mail, its subject, and what it refers to. */
  static MailThread of(String id, @Nullable String subject, List<String> references) {
    List<String> all = new ArrayList<>(references);
    all.remove(id);
    all.add(id);
    if (all.size() > MOST) {
      all.subList(1, all.size() - MOST + 1).clear();
    }
    String line = subject == null ? "" : subject.replaceAll("\\s+", " ").strip();
    return new MailThread(line, List.copyOf(all));
  }

  /** The thread of a mail that came or went; null if it is not known, or not any more. */
  static @Nullable MailThread recall(Memory memory, String id) {
    return memory.read(null, key(id)).map(MailThread::parse).orElse(null);
  }

  private static MailThread parse(String value) {
    String[] lines = value.split("\n", 2);
    return new MailThread(lines[0], MessageIds.all(lines[1]));
  }

  /** To be kept under the id of its last mail. */
  Remembered kept(Instant now) {
    String id = references.getLast();
    String value = subject + "\n" + String.join(" ", references);
    return Remembered.until(now.plus(KEPT), null, key(id), value);
  }

  /** Ids can be longer than a key of the memory. */
  private static String key(String id) {
    return "mail " + Sha256.hex(id);
  }

  /** The subject of an answer; empty if the mail has none. */
  String answer() {
    return subject.isEmpty() || REPLY.matcher(subject).matches() ? subject : "Re: " + subject;
  }
}
