package dev.postrider.channels.nostr;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.channels.nostr.Nip44.Unreadable;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.media.MediaTypes;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says what events mean. What is forged, broken or our own means nothing. */
final class NostrEvents {
  private static final Logger log = LoggerFactory.getLogger(NostrEvents.class);

  private static final Pattern HEX_KEY = Pattern.compile("[0-9a-f]{64}");

  private final String me;
  private final GiftWraps wraps;

  NostrEvents(String me, GiftWraps wraps) {
    this.me = me;
    this.wraps = wraps;
  }

  @Nullable InboundMessage read(NostrEvent event) {
    if (event.kind() == NostrEvent.GIFT_WRAP) {
      return unwrapped(event);
    }
    return event.kind() == NostrEvent.NOTE
            && event.isGenuine()
            && !event.publicKey().equals(me)
            && event.all("p").contains(me)
        ? note(event)
        : null;
  }

  private @Nullable InboundMessage unwrapped(NostrEvent wrap) {
    try {
      NostrEvent rumor = wraps.unwrap(wrap);
      return rumor.publicKey().equals(me) ? null : message(rumor);
    } catch (Unreadable e) {
      log.info("a private message {} is left out: {}", wrap.id(), e.getMessage());
      return null;
    }
  }

  /** The room is the set of all who are named: with one other, it is theirs. */
  private @Nullable InboundMessage message(NostrEvent rumor) {
    Set<String> others = new LinkedHashSet<>(List.of(rumor.publicKey()));
    others.addAll(rumor.all("p"));
    others.remove(me);
    List<String> people = others.stream().filter(NostrEvents::isPerson).toList();
    if (people.isEmpty() || people.size() > NostrChannel.MOST_PEOPLE) {
      log.info("a private message {} is left out: it is for {} people", rumor.id(), people.size());
      return null;
    }
    boolean file = rumor.kind() == NostrEvent.FILE;
    Kind kind =
        switch (rumor.kind()) {
          case NostrEvent.CHAT, NostrEvent.FILE -> Kind.MESSAGE;
          case NostrEvent.REACTION -> Kind.REACTION;
          default -> Kind.OTHER;
        };
    String named = rumor.tag("e");
    return new InboundMessage(
        rumor.id(),
        kind,
        NostrChannel.chat(people),
        people.size() > 1 ? ChatKind.GROUP : ChatKind.DM,
        new InboundMessage.Sender(NostrNames.npub(rumor.publicKey()), null),
        file ? null : rumor.content(),
        file ? List.of(file(rumor)) : List.of(),
        kind == Kind.REACTION && named != null ? named : rumor.id(),
        kind == Kind.MESSAGE ? named : null,
        null,
        time(rumor),
        Json.map(Objects.requireNonNull(Json.readObject(rumor.json()))));
  }

  private static boolean isPerson(String tagged) {
    return HEX_KEY.matcher(tagged).matches() && NostrKey.isPublicKey(tagged);
  }

  private static InboundMessage.File file(NostrEvent rumor) {
    String type = Objects.requireNonNullElse(rumor.tag("file-type"), "");
    String size = Objects.requireNonNullElse(rumor.tag("size"), "");
    return new InboundMessage.File(
        MediaTypes.kind(type).label(),
        rumor.tag("x"),
        rumor.content(),
        null,
        type.isEmpty() ? null : type,
        size.matches("\\d{1,15}") ? Long.valueOf(size) : null);
  }

  /** A public note that names us: in the chat of notes, in its thread. */
  private static InboundMessage note(NostrEvent note) {
    List<String> root = NostrRequest.root(note);
    return new InboundMessage(
        note.id(),
        Kind.MESSAGE,
        NostrChannel.NOTES,
        ChatKind.CHANNEL,
        new InboundMessage.Sender(NostrNames.npub(note.publicKey()), null),
        note.content(),
        List.of(),
        note.id(),
        answered(note),
        root == null ? note.id() : root.get(1),
        time(note),
        Json.map(Objects.requireNonNull(Json.readObject(note.json()))));
  }

  /** What it answers: marked so, else the last it names, else the first of the thread. */
  private static @Nullable String answered(NostrEvent note) {
    return note.tags().stream()
        .filter(tag -> tag.size() > 3 && tag.get(0).equals("e") && tag.get(3).equals("reply"))
        .map(tag -> tag.get(1))
        .findFirst()
        .orElseGet(() -> note.all("e").isEmpty() ? null : note.all("e").getLast());
  }

  private static @Nullable Instant time(NostrEvent event) {
    try {
      return PlatformTime.storable(Instant.ofEpochSecond(event.createdAt()));
    } catch (DateTimeException e) {
      return null;
    }
  }
}
