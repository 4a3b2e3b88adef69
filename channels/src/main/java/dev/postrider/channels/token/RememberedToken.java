package dev.postrider.channels.token;

import dev.postrider.channel.Memory;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Sha256;
import dev.postrider.channels.token.TokenSource.Token;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Keeps an account's token in its memory, over restarts and for whichever node works it next: for
 * platforms where the secret that renews it may be used once.
 *
 * <p>Before it is used, a claim is written beside it, with compare-and-set: of several processes
 * one renews. A claim that nobody has ended runs out; it tells that a renewal was cut off, so that
 * the secret may have been used and its successor lost.
 *
 * <p>The token belongs to the refresh token in the configuration that it began with. Once another
 * one is configured, that one counts: somebody has authorised the account again.
 */
public final class RememberedToken implements TokenSource.Store {
  /** Longer than any request takes. */
  private static final Duration CLAIM = Duration.ofMinutes(2);

  /** Somebody else was faster; what they have written is there in a moment. */
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private static final String CLAIMED_UNTIL = "claimedUntil";
  private static final String ORIGIN = "origin";

  private final Memory memory;
  private final String key;
  private final InstantSource clock;
  private final String origin;
  private @Nullable String claim; // as it is stored
  private @Nullable Token claimed;
  private @Nullable Instant cutOffAt;

  /**
   * @param key what it is called in the memory
   * @param configured the refresh token in the configuration; empty if there is none
   */
  public RememberedToken(Memory memory, String key, InstantSource clock, String configured) {
    this.memory = memory;
    this.key = key;
    this.clock = clock;
    this.origin = configured.isEmpty() ? "" : fingerprint(configured);
  }

  @Override
  public @Nullable Token load() {
    return token(stored());
  }

  private @Nullable String stored() {
    return memory.read(null, key).orElse(null);
  }

  private @Nullable Token token(@Nullable String stored) {
    JsonNode node = stored == null ? null : Json.readObject(stored);
    if (node == null || !node.path(ORIGIN).asString(origin).equals(origin)) {
      return null;
    }
    String value = node.path("value").asString("");
    Instant end = instant(node, "expiresAt");
    return value.isEmpty() || end == null
        ? null
        : new Token(value, end, Json.text(node, "refresh"));
  }

  @Override
  public synchronized Duration claim() {
    String stored = stored();
    Instant now = clock.instant();
    Map<String, @Nullable Object> fields = fields(stored);
    Instant until = instant(Json.tree(fields), CLAIMED_UNTIL);
    if (until != null && until.isAfter(now)) {
      return Duration.between(now, until);
    }
    fields.put(CLAIMED_UNTIL, now.plus(CLAIM).toString());
    String mine = Json.write(fields);
    if (!memory.replace(stored, Remembered.of(null, key, mine))) {
      return MOMENT;
    }
    cutOffAt = until == null ? null : until.minus(CLAIM);
    claim = mine;
    claimed = token(stored);
    return Duration.ZERO;
  }

  /** When the renewal before this one began, if nobody knows how it ended; else null. */
  public synchronized @Nullable Instant cutOffAt() {
    return cutOffAt;
  }

  @Override
  public synchronized void release() {
    Map<String, @Nullable Object> fields = fields(claim);
    fields.remove(CLAIMED_UNTIL);
    memory.replace(claim, Remembered.of(null, key, Json.write(fields)));
  }

  @Override
  public synchronized Token save(Token token) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("value", token.value());
    fields.put("expiresAt", token.expiresAt().toString());
    if (token.refresh() != null) {
      fields.put("refresh", token.refresh());
    }
    fields.put(ORIGIN, origin);
    Remembered remembered = Remembered.of(null, key, Json.write(fields));
    String expected = claim;
    while (!memory.replace(expected, remembered)) {
      expected = stored();
      Token other = token(expected);
      if (other != null && !Objects.equals(other, claimed)) {
        return other; // another process has renewed it meanwhile; theirs is what is kept
      }
      // Another process has only claimed what this one has used already.
    }
    return token;
  }

  private static Map<String, @Nullable Object> fields(@Nullable String stored) {
    JsonNode node = stored == null ? null : Json.readObject(stored);
    return new LinkedHashMap<>(node == null ? Map.of() : Json.map(node));
  }

  private static @Nullable Instant instant(JsonNode node, String field) {
    try {
      return Instant.parse(node.path(field).asString(""));
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static String fingerprint(String secret) {
    return Sha256.hex(secret).substring(0, 32);
  }
}
