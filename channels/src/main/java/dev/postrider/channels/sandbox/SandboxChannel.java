package dev.postrider.channels.sandbox;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Hook;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.Link;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.channel.MediaRules.Rule;
import dev.postrider.channel.TextLimit;
import dev.postrider.channels.Settings;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.message.MediaKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The built-in simulated platform. Thread-safe. */
public final class SandboxChannel implements Channel {
  private static final Rule ANYTHING = new Rule(Set.of(), 100 << 20, true);

  private static MediaRules media(Settings settings) {
    return new MediaRules(
        Arrays.stream(MediaKind.values())
            .collect(Collectors.toMap(Function.identity(), _ -> ANYTHING)),
        TextLimit.of(1024, TextLimit.Unit.UTF16),
        10,
        List.of(EnumSet.of(MediaKind.IMAGE, MediaKind.VIDEO), EnumSet.of(MediaKind.DOCUMENT)),
        true,
        true,
        settings.flag("filesByAddress", false) ? Reuse.BY_ADDRESS : Reuse.BY_UPLOAD);
  }

  private final Map<String, SandboxAccount> accounts = new ConcurrentHashMap<>();
  private final SandboxHook hook = new SandboxHook();
  private volatile BiConsumer<String, Hook.Request> callBack = (_, _) -> {};

  @Override
  public String name() {
    return "sandbox";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        new Setting("latency", false, false, "how long every send takes; 0s"),
        new Setting(
            "limits",
            false,
            false,
            "the platform's own limits: perSecond, perMinute, perSecondPerChat, perMinutePerChat"),
        new Setting(
            "faults",
            false,
            false,
            "shares from 0 to 1 of sends that go wrong: notSent, unknown, throttled, rejected,"
                + " broken"),
        new Setting(
            "dialect",
            false,
            false,
            "write text as this platform wants it: " + SandboxDialect.NAMES),
        new Setting("seed", false, false, "a number that makes the faults repeatable"),
        new Setting("deduplicates", false, false, "whether a repeated key is dropped; true"),
        new Setting(
            "filesByAddress",
            false,
            false,
            "whether files are taken by address only, as some platforms do; false"),
        new Setting(
            "pairing",
            false,
            false,
            "begins logged out; its person takes so long to let it in on the phone, such as 5s"),
        new Setting(
            "record",
            false,
            false,
            "a file to which what arrives is added, a line of JSON each, and that is known again"
                + " after a restart"),
        new Setting("reconciles", false, false, "whether a lost part can be looked up; false"));
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    Settings settings = Settings.of(account);
    return Capabilities.of(SandboxDialect.of(settings), TextLimit.of(4096, TextLimit.Unit.UTF16))
        .withMedia(media(settings))
        .remembering(deduplicates(settings) ? Capabilities.FOR_GOOD : Duration.ZERO)
        .paced(Pace.UNLIMITED, _ -> Pace.UNLIMITED, 32);
  }

  static boolean deduplicates(Settings settings) {
    return settings.flag("deduplicates", true);
  }

  @Override
  public Hook hook(AccountConfig account) {
    return hook;
  }

  /** The webhook by which the platform tells what somebody wrote, for the account's hook. */
  public Hook.Request webhook(SandboxMessage written) {
    return hook.request(written);
  }

  /**
   * Where the platform calls when it has something to tell of what it took: an account, and the
   * request for its webhook. {@code Postrider::receive} is such a place.
   */
  public void callBack(BiConsumer<String, Hook.Request> webhooks) {
    callBack = webhooks;
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new SandboxInboundFiles(account, media);
  }

  @Override
  public boolean takesLogin(AccountConfig account) {
    return !account.text("pairing", "").isEmpty();
  }

  @Override
  public Link open(AccountContext context) {
    SandboxAccount account = account(context.config().id());
    Settings settings = Settings.of(context.config());
    SandboxLink link = new SandboxLink(account, settings, context.scheduler());
    String record = settings.text("record", "");
    if (!record.isEmpty()) {
      account.inbox.keepIn(Path.of(record));
    }
    account.open(context);
    boolean begins = settings.text("pairing", "").isEmpty();
    account.pairing.open(context, begins ? null : settings.duration("pairing", Duration.ZERO));
    return link;
  }

  /** What was delivered, newest first; of one account or all, of one chat or all. */
  public List<SandboxDelivery> inbox(@Nullable String account, @Nullable String chat, int limit) {
    if (account != null) {
      SandboxAccount one = accounts.get(account);
      return one == null ? List.of() : one.inbox.list(chat, limit);
    }
    return accounts.values().stream()
        .flatMap(each -> each.inbox.list(chat, limit).stream())
        .sorted(Comparator.comparing(SandboxDelivery::at).reversed())
        .limit(limit)
        .toList();
  }

  /** Takes an account's platform away: its messages wait, and no attempt is charged. */
  public void offline(String account, String reason) {
    account(account).offline(reason);
  }

  /** Gives it back. */
  public void online(String account) {
    account(account).online();
  }

  /** Throws an account out: a person must let it in again, on their phone. */
  public void logOut(String account) {
    account(account).pairing.logOut();
  }

  private SandboxAccount account(String id) {
    return accounts.computeIfAbsent(
        id,
        name -> {
          SandboxAccount account = new SandboxAccount(name);
          account.callBack(report -> callBack.accept(name, hook.request(report)));
          return account;
        });
  }
}
