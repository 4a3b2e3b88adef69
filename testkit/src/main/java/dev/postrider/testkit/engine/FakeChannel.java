package dev.postrider.testkit.engine;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.Hook;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.UploadResult;
import dev.postrider.channel.VerbatimDialect;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.message.MessageId;
import dev.postrider.message.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A platform in the same process that does what a test tells it to, and keeps a record of what it
 * was asked and what reached it. The record survives restarts of the engine: it is the platform's,
 * not ours.
 */
public final class FakeChannel implements Channel {

  /** One request, as the platform saw it. */
  public record Request(
      Instant at,
      Duration elapsed,
      String account,
      String chat,
      MessageId id,
      int part,
      @Nullable String text,
      String key,
      List<PartFile> cargo,
      boolean arrived,
      Outcome outcome) {}

  /**
   * What the platform does with one request.
   *
   * @param arrives whether the part becomes visible to people, whatever is answered
   * @param takes how long the answer takes; null for an answer that never comes
   */
  public record Reaction(Outcome outcome, boolean arrives, @Nullable Duration takes) {
    public static Reaction of(Outcome outcome) {
      return new Reaction(outcome, outcome instanceof Outcome.Delivered, Duration.ZERO);
    }

    public Reaction arriving() {
      return new Reaction(outcome, true, takes);
    }

    public Reaction taking(Duration duration) {
      return new Reaction(outcome, arrives, duration);
    }

    public Reaction neverAnswering() {
      return new Reaction(outcome, arrives, null);
    }
  }

  private final List<Request> requests = new ArrayList<>();
  private final Deque<Reaction> script = new ArrayDeque<>();
  private final Map<String, AccountContext> contexts = new HashMap<>();
  private final Map<String, Instant> seen = new HashMap<>(); // keys, and when they came first
  private Function<Dispatch, Reaction> mood = dispatch -> delivered();
  private Function<PartFile, UploadResult> intake = this::uploaded;
  private final List<PartFile> uploads = new ArrayList<>();
  private Function<Dispatch, Reconciliation> memory = _ -> new Reconciliation.Inconclusive();
  private @Nullable Hook hook;
  private @Nullable InboundFiles inboundFiles;
  private @Nullable Connector connector;
  private Function<String, @Nullable String> servers = _ -> null;
  private UnaryOperator<String> spelling = String::strip;
  private Probe probe = new Probe.Healthy("fake");
  private Callable<LoginState> login = LoginState.NotSupported::new;
  private Pace pace = Pace.UNLIMITED;
  private Pace chatPace = Pace.UNLIMITED;
  private int textLimit = 4096;
  private MediaRules media = MediaRules.NONE;
  private int concurrency = 100;
  private Set<String> options = Set.of();
  private int bundle = 1;
  private int recipients = 1;
  private Function<Dispatch, Duration> sentWithin = _ -> Duration.ZERO;
  private UnaryOperator<DeliverySettings> delivery = usual -> usual;
  private Function<AccountConfig, @Nullable SharedPace> sharedPace = _ -> null;
  private boolean deduplicates;
  private Predicate<Dispatch> recognised = _ -> true;
  private Duration memoryLasts = Capabilities.FOR_GOOD;
  private boolean readyAtStart = true;
  private int receipts;
  private int probes;

  @Override
  public String name() {
    return "fake";
  }

  // ---- scripting

  /** The next requests are answered like this, one after the other; after that, by the mood. */
  public void then(Reaction... reactions) {
    script.addAll(List.of(reactions));
  }

  public void then(Outcome... outcomes) {
    for (Outcome outcome : outcomes) {
      script.add(Reaction.of(outcome));
    }
  }

  public void mood(Function<Dispatch, Reaction> answer) {
    mood = answer;
  }

  /** Which parts a platform that deduplicates knows by their keys. */
  public void recognising(Predicate<Dispatch> which) {
    recognised = which;
  }

  /** How long the next part waits for the report that this one is sent. */
  public void sentWithin(Function<Dispatch, Duration> patience) {
    sentWithin = patience;
  }

  /** How many pieces one request may have. */
  public void bundling(int pieces) {
    bundle = pieces;
  }

  /** How many chats one request can bring the same to. */
  public void sharing(int chats) {
    recipients = chats;
  }

  /** What accounts have in common with others. */
  public void sharedPace(Function<AccountConfig, @Nullable SharedPace> byAccount) {
    sharedPace = byAccount;
  }

  /** What the channel changes about delivery. */
  public void delivery(UnaryOperator<DeliverySettings> change) {
    delivery = change;
  }

  /** Fields of channel data that go with every part. */
  public void options(String... names) {
    options = Set.of(names);
  }

  public void memory(Function<Dispatch, Reconciliation> answer) {
    memory = answer;
  }

  /** What happens to bytes that are brought on their own. */
  public void intake(Function<PartFile, UploadResult> answer) {
    intake = answer;
  }

  /** Listens to the platform until interrupted. */
  @FunctionalInterface
  public interface Listener {
    void listen(InboundSink inlet) throws Exception;
  }

  /** Holds an account's connection to the platform until interrupted. */
  @FunctionalInterface
  public interface Connector {
    void hold(AccountContext account, InboundSink inlet) throws Exception;
  }

  /** Where files of inbound messages are opened. */
  public void inboundFiles(InboundFiles opens) {
    inboundFiles = opens;
  }

  /** Accounts take webhooks like this from the next start on. */
  public FakeChannel hook(Hook answers) {
    hook = answers;
    return this;
  }

  /** Accounts listen like this from the next start on. */
  public FakeChannel listening(Listener how) {
    return connecting((_, inlet) -> how.listen(inlet));
  }

  /** The same, where it matters whose connection it is. */
  public FakeChannel connecting(Connector how) {
    connector = how;
    return this;
  }

  /** Chats are spelled like this from now on. */
  public FakeChannel spelling(UnaryOperator<String> canonical) {
    spelling = canonical;
    return this;
  }

  /** Chats have servers of their own, named like this. */
  public FakeChannel servers(Function<String, @Nullable String> names) {
    servers = names;
    return this;
  }

  /** How it answers those who log in. */
  public void login(Callable<LoginState> answer) {
    login = answer;
  }

  public void probe(Probe answer) {
    probe = answer;
  }

  public FakeChannel pace(Pace account, Pace chat) {
    pace = account;
    chatPace = chat;
    return this;
  }

  public FakeChannel concurrency(int slots) {
    concurrency = slots;
    return this;
  }

  public FakeChannel textLimit(int limit) {
    textLimit = limit;
    return this;
  }

  public FakeChannel media(MediaRules rules) {
    media = rules;
    return this;
  }

  /** Whether accounts are ready as soon as they are opened. */
  public FakeChannel readyAtStart(boolean ready) {
    readyAtStart = ready;
    return this;
  }

  /** The platform drops a part whose key it has seen. */
  public FakeChannel deduplicating() {
    return deduplicating(Capabilities.FOR_GOOD);
  }

  /** The platform drops a part whose key it has seen within this time. */
  public FakeChannel deduplicating(Duration within) {
    deduplicates = true;
    memoryLasts = within;
    return this;
  }

  public Reaction delivered() {
    return Reaction.of(Outcome.delivered("r" + ++receipts));
  }

  /** The part arrives, and every file that came as bytes gets a handle. */
  public Reaction deliveredWithHandles(Dispatch dispatch) {
    Map<String, FileHandle> handles = new HashMap<>();
    for (PartFile cargo : dispatch.cargo()) {
      String hash = cargo.attachment().hash();
      if (hash != null && cargo.bytes() != null) {
        uploads.add(cargo);
        handles.put(hash, FileHandle.of("h" + uploads.size()));
      }
    }
    return Reaction.of(new Outcome.Delivered(new Receipt("r" + ++receipts, false), handles));
  }

  private UploadResult uploaded(PartFile cargo) {
    return new UploadResult.Done(FileHandle.of("h" + uploads.size()));
  }

  // ---- the platform's record

  /** What was brought to the platform, in order. */
  public List<PartFile> uploads() {
    return uploads;
  }

  public List<Request> requests() {
    return requests;
  }

  /** What people can see, in the order in which it arrived. */
  public List<Request> arrivals() {
    return requests.stream().filter(Request::arrived).toList();
  }

  public List<@Nullable String> texts() {
    return arrivals().stream().<@Nullable String>map(Request::text).toList();
  }

  public int probes() {
    return probes;
  }

  public AccountContext context(String account) {
    AccountContext context = contexts.get(account);
    if (context == null) {
      throw new IllegalStateException("account " + account + " is not open");
    }
    return context;
  }

  // ---- Channel

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return Capabilities.of(new VerbatimDialect(), TextLimit.of(textLimit, TextLimit.Unit.UTF16))
        .withMedia(media)
        .remembering(deduplicates ? memoryLasts : Duration.ZERO)
        .paced(pace, _ -> chatPace, concurrency)
        .withOptions(options)
        .bundling(bundle)
        .sharing(recipients);
  }

  private Duration remembers(Dispatch part) {
    return deduplicates && recognised.test(part) ? memoryLasts : Duration.ZERO;
  }

  @Override
  public @Nullable SharedPace sharedPace(AccountConfig account) {
    return sharedPace.apply(account);
  }

  @Override
  public DeliverySettings delivery(DeliverySettings usual) {
    return delivery.apply(usual);
  }

  @Override
  public String canonical(AccountConfig account, String to) {
    return spelling.apply(to);
  }

  @Override
  public @Nullable InboundFiles inboundFiles(AccountConfig account, MediaSettings settings) {
    return inboundFiles;
  }

  @Override
  public @Nullable Hook hook(AccountConfig account) {
    return hook;
  }

  @Override
  public Link open(AccountContext context) {
    contexts.put(context.config().id(), context);
    if (!readyAtStart) {
      context.notReady("connecting");
    }
    return new FakeLink(context);
  }

  private final class FakeLink implements Link {
    private final AccountContext context;

    FakeLink(AccountContext context) {
      this.context = context;
    }

    @Override
    public Duration remembers(Dispatch part, Duration usual) {
      return FakeChannel.this.remembers(part);
    }

    @Override
    public Duration sentWithin(Dispatch accepted) {
      return sentWithin.apply(accepted);
    }

    @Override
    public Outcome send(Dispatch dispatch) {
      Reaction scripted = script.poll();
      Reaction reaction = scripted == null ? mood.apply(dispatch) : scripted;
      Outcome outcome = reaction.outcome;
      boolean arrives = reaction.arrives;
      Instant now = context.scheduler().instant();
      if (FakeChannel.this.remembers(dispatch).isPositive() && arrives) {
        Instant first = seen.get(dispatch.key());
        arrives = first == null || !now.isBefore(first.plus(memoryLasts));
        if (arrives) {
          seen.put(dispatch.key(), now);
        }
      }
      Duration elapsed = context.scheduler().elapsed();
      requests.add(
          new Request(
              now,
              elapsed,
              context.config().id(),
              dispatch.to(),
              dispatch.id(),
              dispatch.index(),
              dispatch.text(),
              dispatch.key(),
              dispatch.cargo(),
              arrives,
              outcome));
      pass(reaction.takes);
      return outcome;
    }

    @Override
    public @Nullable String server(String chat) {
      return servers.apply(chat);
    }

    @Override
    public boolean listens() {
      return connector != null;
    }

    @Override
    public void listen(InboundSink inlet) throws Exception {
      if (connector != null) {
        connector.hold(context, inlet);
      }
    }

    @Override
    public UploadResult upload(PartFile cargo) {
      uploads.add(cargo);
      return intake.apply(cargo);
    }

    private void pass(@Nullable Duration takes) {
      if (takes != null && takes.isZero()) {
        return;
      }
      CompletableFuture<Boolean> over = new CompletableFuture<>();
      if (takes != null) {
        context.scheduler().after(takes, () -> over.complete(true));
      }
      context.scheduler().await(over);
    }

    @Override
    public Reconciliation reconcile(Dispatch dispatch) {
      return memory.apply(dispatch);
    }

    @Override
    public LoginState login(LoginRequest request) throws Exception {
      return login.call();
    }

    @Override
    public Probe probe() {
      probes++;
      return probe;
    }
  }
}
