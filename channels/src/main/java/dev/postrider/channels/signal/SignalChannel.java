package dev.postrider.channels.signal;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.Link;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.channel.MediaRules.Rule;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.TextLimit.Unit;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.time.Scheduler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Signal, through signal-cli: a daemon on HTTP or on a socket, or a program started here. */
public final class SignalChannel implements Channel {
  static final Duration IDLE = Duration.ofMinutes(1);

  /** A large group is written to member by member. */
  private static final String TIMEOUT = "2m";

  /** Signal takes more, and shows it folded. */
  private static final TextLimit TEXT = TextLimit.of(4000, Unit.UTF16);

  /** Signal tells no limits, and stops whoever is too fast with a captcha. */
  private static final Pace ACCOUNT = Pace.perMinute(40).burst(5);

  private static final Pace CHAT = Pace.perSecond(1).burst(3);

  private static final int FILES = 10;
  private static final Rule ANY_FILE = new Rule(Set.of(), 100L << 20, false);

  /** What signal-cli may say in one breath. */
  private static final int LONGEST = 16 << 20;

  private static final List<String> WAYS = List.of("baseUrl", "socket", "command");

  @Override
  public String name() {
    return "signal";
  }

  @Override
  public List<Setting> settings() {
    return Stream.concat(
            HttpSender.settings(
                    new Setting("number", true, false, "our number, such as +4915112345678"),
                    new Setting(
                        "baseUrl", false, false, "signal-cli daemon --http: http://127.0.0.1:8080"),
                    new Setting(
                        "socket",
                        false,
                        false,
                        "signal-cli daemon --tcp or --socket: HOST:PORT, or a path"),
                    new Setting(
                        "command",
                        false,
                        false,
                        "a signal-cli to start here, as a list: signal-cli, -a, NUMBER, jsonRpc"),
                    new Setting(
                        "filesFolder",
                        false,
                        false,
                        "where files above 12 MiB are put for signal-cli; the system's folder"),
                    new Setting(
                        "attachmentsFolder",
                        false,
                        false,
                        "where signal-cli keeps what it receives; it is asked for each file"),
                    new Setting("captcha", false, true, "a solved captcha, once Signal wants one"),
                    new Setting("idle", false, false, "how long signal-cli may be quiet; 1m"))
                .stream()
                .filter(setting -> !setting.name().equals("timeout")),
            Stream.of(
                new Setting("timeout", false, false, "how long a request may take in all; 2m")))
        .toList();
  }

  /** Refuses an account that says in two ways, or in none, where signal-cli is. */
  @Override
  public void checkAccount(AccountConfig account) {
    Settings settings = Settings.of(account);
    List<String> given = WAYS.stream().filter(way -> account.settings().get(way) != null).toList();
    if (given.size() != 1) {
      throw settings.wrong(
          given.isEmpty() ? "baseUrl" : given.getFirst(),
          (given.isEmpty() ? "is missing" : "and " + given.get(1) + " are both given")
              + "; give one of baseUrl (signal-cli daemon --http), socket (--tcp or --socket) and"
              + " command (started by Postrider)");
    }
    String number = settings.required("number");
    if (!number.equals(SignalAddress.person(number)) || !number.startsWith("+")) {
      throw settings.wrong("number", "is not a number with its country code: +4915112345678");
    }
    if (given.contains("baseUrl")) {
      settings.requiredWeb("baseUrl", "http://127.0.0.1:8080");
    } else {
      Lines.opener(settings, Secrets.of(), LONGEST);
    }
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return Capabilities.of(Dialects.SIGNAL, TEXT)
        .withMedia(
            new MediaRules(
                EnumSet.allOf(MediaKind.class).stream()
                    .collect(Collectors.toMap(Function.identity(), _ -> ANY_FILE)),
                TEXT,
                FILES,
                List.of(EnumSet.allOf(MediaKind.class)),
                false,
                true,
                Reuse.NONE))
        .withOptions(SignalRequest.OPTIONS)
        .reporting(State.DELIVERED, State.READ)
        .paced(ACCOUNT, _ -> CHAT, 4);
  }

  /** The engine waits a little longer than the request does. */
  @Override
  public DeliverySettings delivery(DeliverySettings usual) {
    return usual.with(it -> it.attemptTimeout = Duration.ofMinutes(3));
  }

  @Override
  public String canonical(AccountConfig account, String to) {
    return SignalAddress.canonical(to);
  }

  @Override
  public void check(Message message, Plan plan) {
    SignalRequest.check(message, plan);
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    Settings settings = Settings.of(account);
    String folder = settings.text("attachmentsFolder", "");
    int longest = (int) Math.min(Integer.MAX_VALUE / 2, media.largest() / 3 * 4 + (1 << 20));
    return new SignalInboundFiles(
        folder.isEmpty() ? ownFolder(settings) : Path.of(folder),
        settings.required("number"),
        time -> daemon(account, time, longest));
  }

  /** Of a signal-cli that is started here, which nobody else can ask. */
  private static @Nullable Path ownFolder(Settings settings) {
    return settings.texts("command").isEmpty()
        ? null
        : Path.of(System.getProperty("user.home"), ".local/share/signal-cli/attachments");
  }

  @Override
  public Link open(AccountContext context) {
    checkAccount(context.config());
    return new SignalLink(context, daemon(context.config(), context.scheduler(), LONGEST));
  }

  private static Daemon daemon(AccountConfig account, Scheduler time, int longest) {
    boolean patient = account.settings().containsKey("timeout");
    Settings settings = Settings.of(patient ? account : account.set("timeout", TIMEOUT));
    Secrets secrets = Secrets.of(settings.text("captcha", ""));
    if (account.text("baseUrl") != null) {
      return new HttpDaemon(settings, secrets, time, longest);
    }
    return new LineDaemon(
        Lines.opener(settings, secrets, longest),
        time,
        settings.required("number"),
        new LineDaemon.Patience(
            settings.duration("timeout", Duration.ofMinutes(2)), settings.duration("idle", IDLE)));
  }
}
