package dev.postrider.channels;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Dialect;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.MediaRules;
import dev.postrider.channels.googlechat.GoogleKeys;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.MediaKind;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The channels as rows of a table, each told by the code itself. */
final class ChannelTable {
  private static final String HEAD =
      """
      | channel | text | files | receipts | a repeat is told by | webhook | listens \
      | pace of an account; of a chat | verified against |
      |---|---|---|---|---|---|---|---|---|
      """;

  private static final String OWN_STUB = "own stub";

  private ChannelTable() {}

  static String rendered() throws Exception {
    StringBuilder table = new StringBuilder(HEAD);
    List<Channel> channels =
        ServiceLoader.load(Channel.class).stream()
            .map(ServiceLoader.Provider::get)
            .sorted(Comparator.comparing(Channel::name))
            .toList();
    for (Channel channel : channels) {
      for (Way way : ways(channel)) {
        table.append(row(channel, way)).append('\n');
      }
    }
    return table.toString();
  }

  /**
   * A kind of account that a channel has, where they differ in what they can do.
   *
   * @param name what it is called; empty if there is only one
   * @param peers what it was verified against
   */
  private record Way(String name, AccountConfig account, String peers) {}

  private static List<Way> ways(Channel channel) throws Exception {
    AccountConfig official =
        AccountConfig.of("sample", channel.name())
            .set("appId", "1")
            .set("appSecret", "sample")
            .set("refreshToken", "sample")
            .set("oaSecretKey", "sample");
    return channel.name().equals("zalo")
        ? List.of(
            new Way(", a bot", sample(channel), peers(channel)),
            new Way(", an Official Account", official, OWN_STUB))
        : List.of(new Way("", sample(channel), peers(channel)));
  }

  private static String row(Channel channel, Way way) throws Exception {
    TestAccount account = TestAccount.of(way.account());
    Capabilities can = channel.capabilities(account.config());
    try (Link link = channel.open(account)) {
      return "| "
          + String.join(
              " | ",
              "[`" + channel.name() + "`](" + page(channel) + ")" + way.name(),
              text(can),
              files(can.media()),
              receipts(can),
              repeat(channel, can, link),
              channel.hook(account.config()) == null ? "–" : "yes",
              link.listens() ? "yes" : "–",
              pace(can),
              way.peers())
          + " |";
    }
  }

  /** An account with everything switched on that the channel has. */
  private static AccountConfig sample(Channel channel) {
    AccountConfig account = AccountConfig.of("sample", channel.name());
    if (channel.name().equals("zalo-personal")) {
      account = account.set("command", List.of("node", "sidecar.mjs"));
    }
    for (Channel.Setting setting : channel.settings()) {
      boolean otherWay = channel.name().equals("zalo") && setting.name().startsWith("app");
      Object value = otherWay ? null : SAMPLES.get(setting.name()); // a bot has no app
      if (value != null) {
        account = account.set(setting.name(), value);
      }
    }
    return account;
  }

  private static final Map<String, Object> SAMPLES =
      Map.ofEntries(
          Map.entry("token", "123456:sample"),
          Map.entry("number", "+4915112345678"),
          Map.entry("baseUrl", "https://platform.example"),
          Map.entry("url", "https://discord.com/api/webhooks/1234567890/sample"),
          Map.entry("host", "mail.example"),
          Map.entry("from", "bot@mail.example"),
          Map.entry("nick", "sample"),
          Map.entry("jid", "bot@mail.example"),
          Map.entry("imapHost", "mail.example"),
          Map.entry("phoneNumberId", "100000000000000"),
          Map.entry("webhookSecret", "whsec_c2FtcGxlc2FtcGxlc2FtcGxlc2FtcGxl"),
          Map.entry("secret", "whsec_c2FtcGxlc2FtcGxlc2FtcGxlc2FtcGxl"),
          Map.entry("password", "sample"),
          Map.entry("appSecret", "sample"),
          Map.entry("verifyToken", "sample"),
          Map.entry("publicKey", "00".repeat(32)),
          Map.entry("appToken", "xapp-sample"),
          Map.entry("appId", "00000000-0000-4000-8000-000000000000"),
          Map.entry("appPassword", "sample"),
          Map.entry("clientId", "sample"),
          Map.entry("code", "lidlut-tabwed-pillex-ridrup"),
          Map.entry("listenTo", "sample"),
          Map.entry("user", "sample"),
          Map.entry("serviceAccount", GoogleKeys.file("https://platform.example/token")),
          Map.entry("projectNumber", "1234567890"),
          Map.entry("privateKey", "0".repeat(63) + "1"),
          Map.entry("relays", "wss://relay.example"),
          Map.entry("polling", "true"),
          Map.entry("gateway", "true"),
          Map.entry("websocket", "true"),
          Map.entry("sync", "true"),
          Map.entry("apiKey", "sample"));

  private static String page(Channel channel) {
    String name = channel.name().replaceFirst("-webhook$", "");
    return name.equals("sandbox") ? "sandbox.md" : "channels/" + name + ".md";
  }

  private static String text(Capabilities can) throws IllegalAccessException {
    String unit =
        switch (can.text().unit()) {
          case UTF16 -> "UTF-16 units";
          case CODE_POINTS -> "characters";
          case UTF8_BYTES -> "bytes";
        };
    return "%,d %s%s, %s"
        .formatted(
            can.text().size(), unit, can.text().visible() ? " without markup" : "", markup(can));
  }

  private static String markup(Capabilities can) throws IllegalAccessException {
    for (Field field : Dialects.class.getFields()) {
      if (Dialect.class.isAssignableFrom(field.getType())
          && can.dialect().equals(field.get(null))) {
        return "as `" + field.getName().toLowerCase(Locale.ROOT).replace('_', '-') + "`";
      }
    }
    return "as it stands";
  }

  private static String files(MediaRules rules) {
    if (rules.kinds().isEmpty()) {
      return "as links";
    }
    Map<Long, List<MediaKind>> bySize = new TreeMap<>(Comparator.reverseOrder());
    new TreeMap<>(rules.kinds())
        .forEach(
            (kind, rule) ->
                bySize.computeIfAbsent(rule.largest(), _ -> new ArrayList<>()).add(kind));
    String sizes =
        bySize.entrySet().stream()
            .map(entry -> labels(entry.getValue()) + " to " + size(entry.getKey()))
            .collect(Collectors.joining("; "));
    return rules.album() > 1 ? sizes + "; up to " + rules.album() + " together" : sizes;
  }

  private static String labels(List<MediaKind> kinds) {
    return kinds.size() == MediaKind.values().length
        ? "anything"
        : kinds.stream().map(MediaKind::label).collect(Collectors.joining(", "));
  }

  private static String size(long bytes) {
    long mebibytes = Math.round(bytes / 1048576.0);
    return mebibytes == 0
        ? bytes / 1024 + " KB"
        : mebibytes >= 1024 ? mebibytes / 1024 + " GB" : mebibytes + " MB";
  }

  private static String receipts(Capabilities can) {
    return can.reports().isEmpty()
        ? "–"
        : can.reports().stream()
            .sorted()
            .map(DeliveryReport.State::label)
            .collect(Collectors.joining(", "));
  }

  /** Where a look takes settings that few accounts have. */
  private static final Map<String, String> LOOKING_TAKES =
      Map.of("nextcloud-talk", ", with `user` and `appPassword`; else nothing: `onUnknown`");

  private static String repeat(Channel channel, Capabilities can, Link link)
      throws NoSuchMethodException {
    List<String> ways = new ArrayList<>();
    if (can.deduplicates()) {
      ways.add("its key, for " + duration(can.remembers()));
    }
    if (link.getClass().getMethod("reconcile", Dispatch.class).getDeclaringClass() != Link.class) {
      ways.add("looking it up" + LOOKING_TAKES.getOrDefault(channel.name(), ""));
    }
    return ways.isEmpty() ? "nothing: `onUnknown`" : String.join(", then ", ways);
  }

  private static String duration(Duration duration) {
    if (duration.equals(Capabilities.FOR_GOOD)) {
      return "ever";
    }
    if (duration.toSeconds() < 60) {
      return duration.toSeconds() + " s";
    }
    return duration.toMinutes() < 120 ? duration.toMinutes() + " min" : duration.toHours() + " h";
  }

  private static String pace(Capabilities can) {
    String chat = pace(can.chatPace().apply("1"));
    return pace(can.pace()) + "; " + chat;
  }

  private static String pace(Pace pace) {
    return pace.isUnlimited()
        ? "–"
        : pace.limits().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(limit -> limit.getValue() + " in " + period(limit.getKey()))
            .collect(Collectors.joining(", "));
  }

  private static String period(Duration period) {
    return period.toSeconds() == 60 ? "1 min" : period.toSeconds() + " s";
  }

  /** Of all tests that say so. */
  private static String peers(Channel channel) throws Exception {
    Path classes =
        Path.of(ChannelTable.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(each -> each.toString().endsWith("Test.class")).toList()) {
        String name = classes.relativize(file).toString().replace('/', '.');
        VerifiedAgainst told =
            Class.forName(
                    name.substring(0, name.length() - ".class".length()),
                    false,
                    ChannelTable.class.getClassLoader())
                .getAnnotation(VerifiedAgainst.class);
        if (told != null && List.of(told.channels()).contains(channel.name())) {
          found.add(told.value());
        }
      }
    }
    return found.isEmpty() ? OWN_STUB : String.join(", ", found.stream().sorted().toList());
  }
}
