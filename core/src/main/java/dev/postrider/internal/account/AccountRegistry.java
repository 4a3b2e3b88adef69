package dev.postrider.internal.account;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Hook;
import dev.postrider.channel.InboundFiles;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.NearestName;
import dev.postrider.config.Pace;
import dev.postrider.config.PostriderConfig;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.internal.lease.HeldLease;
import dev.postrider.internal.pace.Moment;
import dev.postrider.internal.pace.Pacer;
import dev.postrider.problem.Refused;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.Budget;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The accounts: all that are configured, and of these the ones that are worked here. Thread-safe.
 */
public final class AccountRegistry {
  /** A configured account, whoever works it. */
  public record Known(
      AccountConfig config,
      Channel channel,
      Capabilities capabilities,
      @Nullable Hook hook,
      @Nullable InboundFiles inboundFiles,
      Pacer.ChannelMeter channelMeter) {
    public String id() {
      return config.id();
    }

    /** As configured, or else as its channel wants. */
    public Pace pace() {
      Pace own = config.pace().account();
      return own == null ? capabilities.pace() : own;
    }

    /** Of a chat of the usual kind: as configured, or else as its channel wants. */
    public Pace chatPace() {
      Pace own = config.pace().chat();
      return own == null ? capabilities.chatPace().apply("any") : own;
    }

    /** How many chats are sent to at the same time: as configured, or else as its channel wants. */
    public int concurrency() {
      Integer own = config.pace().concurrency();
      return own == null ? capabilities.concurrency() : own;
    }

    /** Whether a person lets it in. */
    public boolean takesLogin() {
      return channel.takesLogin(config);
    }

    /** To how many chats one request can bring the same. */
    public int recipients() {
      return Math.min(capabilities.recipients(), concurrency());
    }
  }

  private final EngineContext context;
  private final PausedLanes pausedLanes;
  private final Map<String, Known> known = new LinkedHashMap<>();
  private final Map<String, Account> worked = new ConcurrentHashMap<>();
  private final Map<String, Pacer.ChannelMeter> meters = new HashMap<>();

  public AccountRegistry(
      PostriderConfig config, Map<String, Channel> channels, EngineContext context) {
    this.context = context;
    this.pausedLanes = new PausedLanes(context, worked::get);
    context.chats().onTold(this::joinTold);
    for (AccountConfig account : config.accounts()) {
      Channel channel = channels.get(account.channel());
      if (channel == null) {
        throw new IllegalArgumentException(
            "account '"
                + account.id()
                + "': unknown channel '"
                + account.channel()
                + "'; known are "
                + channels.keySet().stream().sorted().toList());
      }
      requireSecrets(account, channel);
      channel.checkAccount(account);
      Pacer.ChannelMeter meter =
          meter(channel.sharedPace(account), account.channel(), config.channelPaces());
      Capabilities capabilities = channel.capabilities(account).within(account.content());
      known.put(
          account.id(),
          new Known(
              account,
              channel,
              capabilities,
              channel.hook(account),
              channel.inboundFiles(account, config.media()),
              meter));
    }
  }

  /** The meter of all accounts of a channel, or of those on the same server. */
  private Pacer.ChannelMeter meter(
      Channel.@Nullable SharedPace shared, String channel, Map<String, Pace> configured) {
    Pace usual = shared == null ? Pace.UNLIMITED : shared.pace();
    return meters.computeIfAbsent(
        shared == null ? channel : channel + "/" + shared.server(),
        name -> new Pacer.ChannelMeter(name, configured.getOrDefault(channel, usual)));
  }

  private static void requireSecrets(AccountConfig account, Channel channel) {
    for (Channel.Setting setting : channel.settings()) {
      try {
        if (setting.secret()) {
          Channel.Setting.requireSecret(account.settings().get(setting.name()));
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "account '" + account.id() + "': " + setting.name() + " " + e.getMessage(), e);
      }
    }
  }

  // ---- looking up

  public Set<String> names() {
    return known.keySet();
  }

  public Collection<Known> all() {
    return known.values();
  }

  /** A configured account, or a refusal that names the nearest. */
  public Known known(String id) {
    Known account = known.get(id);
    if (account == null) {
      throw new Refused(
          Refused.Cause.UNKNOWN_ACCOUNT,
          "account",
          "no account '" + id + "' is configured" + NearestName.hint(id, known.keySet()));
    }
    return account;
  }

  /** The account at work, or null if it is not worked here. */
  public @Nullable Account worked(String id) {
    return worked.get(id);
  }

  public Collection<Account> worked() {
    return worked.values();
  }

  private void joinTold(String id) {
    Account account = worked(id);
    if (account != null) {
      account.joinTold();
    }
  }

  public PausedLanes pausedLanes() {
    return pausedLanes;
  }

  // ---- beginning and ending

  /** What survived of accounts besides messages; read once for all that begin together. */
  record Notes(Map<String, AccountState> states, List<Budget> budgets) {}

  Notes readNotes() {
    return new Notes(readStates(), context.store().budgets(context.time().instant()));
  }

  public Map<String, AccountState> readStates() {
    Map<String, AccountState> states = new HashMap<>();
    context.store().accounts().forEach(state -> states.put(state.account(), state));
    return states;
  }

  /** Takes over what the channels had spent; once, before the first account begins. */
  void restoreChannels(Notes notes) {
    Moment now = Moment.of(context.time());
    notes.budgets.forEach(budget -> meters.values().forEach(meter -> meter.restore(budget, now)));
  }

  /**
   * Makes the account ready to work: what was spent and paused before is in force, and nothing is
   * sent yet.
   */
  Account prepare(HeldLease heldLease, Notes notes) {
    String id = heldLease.lease().account();
    Known configured = known(id);
    Account account =
        new Account(
            configured,
            notes.states.getOrDefault(id, AccountState.fresh(id)),
            heldLease,
            context,
            pausedLanes);
    notes.budgets.forEach(account.lanes()::restore);
    worked.put(id, account);
    pausedLanes.restore(id);
    return account;
  }

  /** The account is not worked here any more. */
  @Nullable Account remove(String id) {
    return worked.remove(id);
  }
}
