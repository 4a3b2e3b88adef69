package dev.postrider.channels.nostr;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.ReachableHosts;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.nostr.InboxRelays.Inbox;
import dev.postrider.message.Fix;
import dev.postrider.message.Receipt;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One key and its relays. Thread-safe. */
final class NostrLink implements Link {
  private static final Logger log = LoggerFactory.getLogger(NostrLink.class);

  private final NostrKey me;
  private final AccountContext context;
  private final HttpSender http;
  private final RelayConnector connector;
  private final StandingRelays ours;
  private final InboxRelays inboxes;
  private final Publisher publisher;
  private final SentTimes times;
  private final GiftWraps wraps;
  private final NostrInbox inbox;
  private final NostrSettings settings;

  NostrLink(AccountContext context) {
    this.context = context;
    Settings all = Settings.of(context.config());
    settings = NostrSettings.of(all);
    me = settings.key();
    http = HttpSender.of(all, Secrets.of(all.required("privateKey")));
    Relay.Terms terms =
        new Relay.Terms(me, context.scheduler(), settings.timeout(), settings.idle());
    ReachableHosts reachable = new ReachableHosts(settings.allowedNetworks());
    connector = new RelayConnector(http, terms, reachable);
    ours = new StandingRelays(settings.relays(), settings.quorum(), connector, context);
    inboxes = new InboxRelays(ours, settings.lookupRelays(), connector, context.scheduler());
    publisher =
        new Publisher(
            ours,
            connector,
            new RelayLimits(http, settings.allowedNetworks(), context.scheduler()),
            context.scheduler());
    times = new SentTimes(context.memory(), context.scheduler());
    wraps = new GiftWraps(me);
    inbox = new NostrInbox(me, wraps, settings, context.scheduler());
    context.notReady("connecting to relays");
  }

  @Override
  public Outcome send(Dispatch part) throws InterruptedException {
    if (!ours.isQuorate()) {
      return new Outcome.Unreachable("fewer than " + ours.quorum() + " relays are connected");
    }
    Outcome outcome = part.to().equals(NostrChannel.NOTES) ? note(part) : chat(part);
    return outcome instanceof Outcome.Delivered(Receipt receipt, _, _, String note)
        ? new Outcome.Delivered(
            receipt, Map.of(), List.of(SentTimes.done(part.to(), part.key())), note)
        : outcome;
  }

  private Outcome note(Dispatch part) throws InterruptedException {
    NostrEvent parent = null;
    String answered = NostrRequest.answered(part);
    if (answered != null && !part.state().has(Fix.DropReply.class)) {
      try {
        parent = find(answered, part.mayHaveArrivedAt() != null);
      } catch (IOException e) {
        return new Outcome.NotSent("the note to answer was not found: " + e.getMessage());
      }
      if (parent == null) {
        return new Outcome.Repairable(
            new Fix.DropReply(), "none of the relays has the note " + answered);
      }
    }
    NostrEvent note =
        NostrEvent.signed(
            me,
            times.of(part.to(), part.key()),
            NostrEvent.NOTE,
            NostrRequest.noteTags(part, parent, me.publicKey()),
            NostrRequest.content(part));
    return NostrVerdict.of(
        publisher.publish(note, ours.addresses(), ours.quorum()), ours.quorum(), note.id(), true);
  }

  /**
   * Null if none has it.
   *
   * @param surely whether all of our relays have to say so: where a try that found it may have
   *     arrived, one without it would be another note
   */
  private @Nullable NostrEvent find(String id, boolean surely)
      throws IOException, InterruptedException {
    List<Relay> all = ours.all();
    IOException silent = null;
    for (Relay relay : all) {
      try {
        for (NostrEvent event : relay.find(Map.of("ids", List.of(id), "limit", 1))) {
          if (event.id().equals(id) && event.isGenuine()) {
            return event;
          }
        }
      } catch (IOException e) {
        silent = e;
      }
    }
    if (silent != null) {
      throw silent;
    }
    int wanted = surely ? ours.addresses().size() : ours.quorum();
    if (all.size() < wanted) {
      throw new IOException(
          "only %d of %d relays could be asked".formatted(all.size(), ours.addresses().size()));
    }
    return null;
  }

  private Outcome chat(Dispatch part) throws InterruptedException {
    List<String> receivers = NostrChannel.people(part.to());
    Map<String, List<URI>> targets = new LinkedHashMap<>();
    for (String receiver : receivers) {
      if (receiver.equals(me.publicKey())) {
        targets.put(receiver, ours.addresses());
        continue;
      }
      switch (inboxes.of(receiver)) {
        case Inbox.At(List<URI> relays) -> targets.put(receiver, relays);
        case Inbox.None _ when settings.sendWithoutInbox() ->
            targets.put(receiver, ours.addresses());
        case Inbox.None _ -> {
          return new Outcome.Rejected(
              Blame.TARGET,
              NostrNames.npub(receiver)
                  + " has published no relays for private messages (kind 10050) where we look;"
                  + " they set them in their app, or name a relay that has their list in"
                  + " lookupRelays");
        }
        case Inbox.NotTold(String cause) -> {
          return new Outcome.NotSent("where to send it could not be found out: " + cause);
        }
      }
    }
    NostrEvent rumor =
        NostrEvent.rumor(
            me.publicKey(),
            times.of(part.to(), part.key()),
            NostrEvent.CHAT,
            NostrRequest.chatTags(part, receivers),
            NostrRequest.content(part));
    return deliver(rumor, targets, part.key());
  }

  /** To one after the other: if one is missed, all get the same wraps again, which they know. */
  private Outcome deliver(NostrEvent rumor, Map<String, List<URI>> targets, String part) {
    for (Map.Entry<String, List<URI>> target : targets.entrySet()) {
      List<URI> relays = target.getValue();
      int quorum = settings.quorumOf(relays.size());
      Outcome outcome =
          NostrVerdict.of(
              publisher.publish(wraps.wrap(rumor, target.getKey(), part), relays, quorum),
              quorum,
              rumor.id(),
              false);
      if (!(outcome instanceof Outcome.Delivered)) {
        inboxes.forget(target.getKey());
        return outcome;
      }
    }
    return new Outcome.Delivered(
        new Receipt(rumor.id(), false), Map.of(), List.of(), copy(rumor, targets, part));
  }

  /** The wrap for ourselves, by which our other programs show what we said; why not, if not. */
  private @Nullable String copy(NostrEvent rumor, Map<String, List<URI>> targets, String part) {
    if (!settings.copyToSelf() || targets.containsKey(me.publicKey())) {
      return null;
    }
    Outcome outcome =
        NostrVerdict.of(
            publisher.publish(
                wraps.wrap(rumor, me.publicKey(), part), ours.addresses(), ours.quorum()),
            ours.quorum(),
            rumor.id(),
            true);
    return outcome instanceof Outcome.Delivered
        ? null
        : "the copy for ourselves was not stored: " + outcome.label();
  }

  /** Whose relays are away keeps nobody else waiting. */
  @Override
  public @Nullable String server(String chat) {
    return chat.equals(NostrChannel.NOTES) ? null : chat;
  }

  @Override
  public boolean listens() {
    return true;
  }

  @Override
  public void listen(InboundSink inlet) throws IOException {
    inbox.begin(inlet.cursor());
    ours.listen(
        inlet,
        relay -> {
          if (settings.publishInbox()) {
            context.scheduler().start("publish inbox", () -> publishInbox(relay));
          }
          return inbox.at(relay, inlet);
        });
  }

  /** Tells everybody where we read private messages. */
  private void publishInbox(Relay relay) {
    NostrEvent list =
        NostrEvent.signed(
            me,
            context.scheduler().instant().getEpochSecond(),
            NostrEvent.INBOX_RELAYS,
            settings.relays().stream().map(uri -> List.of("relay", uri.toString())).toList(),
            "");
    try {
      if (!(relay.publish(list) instanceof Outcome.Delivered)) {
        log.warn(
            "Account {}: {} does not take our inbox list", context.config().id(), relay.host());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Probe probe() throws InterruptedException {
    String identity = NostrNames.npub(me.publicKey());
    if (ours.isQuorate()) {
      return new Probe.Healthy(identity + told(ours.all().size()));
    }
    List<String> causes = new ArrayList<>();
    for (URI address : ours.addresses()) {
      try {
        connector.greet(address);
      } catch (IOException e) {
        causes.add(e.getMessage());
      }
    }
    int answered = ours.addresses().size() - causes.size();
    return answered >= ours.quorum()
        ? new Probe.Healthy(identity + told(answered))
        : new Probe.Unreachable(String.join("; ", causes));
  }

  private String told(int relays) {
    return " on %d of %d relays".formatted(relays, ours.addresses().size());
  }

  @Override
  public void close() {
    ours.close();
    http.close();
  }
}
