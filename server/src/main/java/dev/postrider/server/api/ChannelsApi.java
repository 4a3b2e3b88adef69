package dev.postrider.server.api;

import dev.postrider.Postrider;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.TextLimit;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Durations;
import dev.postrider.config.Pace;
import dev.postrider.view.AccountView;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/** Every channel with what it can do, whether an account uses it or not. */
public final class ChannelsApi {
  private final EngineState engineState;

  public ChannelsApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(Route.get("/v1/channels", this::list));
  }

  private ApiResponse list(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    Map<String, List<String>> accounts =
        postrider.accounts().stream()
            .collect(
                Collectors.groupingBy(
                    AccountView::channel,
                    Collectors.mapping(AccountView::id, Collectors.toList())));
    List<Channel> channels =
        postrider.channels().stream().sorted(Comparator.comparing(Channel::name)).toList();
    return Json.page(
        channels,
        (json, channel) -> {
          json.writeStringProperty("name", channel.name());
          Json.value(json, "accounts", accounts.getOrDefault(channel.name(), List.of()));
          settings(json, channel);
          // What an account has switched on, or was given another limit for, is not looked at here.
          capabilities(json, channel.capabilities(AccountConfig.of("any", channel.name())));
        });
  }

  private static void settings(JsonGenerator json, Channel channel) {
    Json.objects(
        json,
        "settings",
        channel.settings(),
        setting -> {
          json.writeStringProperty("name", setting.name());
          json.writeBooleanProperty("required", setting.required());
          json.writeBooleanProperty("secret", setting.secret());
          json.writeStringProperty("about", setting.description());
        });
  }

  private static void capabilities(JsonGenerator json, Capabilities can) {
    Json.object(json, "text", () -> text(json, can.text()));
    media(json, can.media());
    Json.value(json, "receipts", new TreeSet<>(can.reports()).stream().map(Json::word).toList());
    boolean forGood = can.remembers().equals(Capabilities.FOR_GOOD);
    Json.text(
        json,
        "knowsRepeatsFor",
        !can.deduplicates() ? null : forGood ? "ever" : Durations.format(can.remembers()));
    Json.object(
        json,
        "pace",
        () -> {
          limits(json, "account", can.pace());
          limits(json, "chat", can.chatPace().apply("any"));
          json.writeNumberProperty("concurrency", can.concurrency());
        });
    json.writeNumberProperty("piecesPerRequest", can.bundle());
    json.writeNumberProperty("chatsPerRequest", can.recipients());
  }

  private static void text(JsonGenerator json, TextLimit limit) {
    json.writeNumberProperty("limit", limit.size());
    json.writeStringProperty(
        "unit",
        switch (limit.unit()) {
          case UTF16 -> "utf16";
          case CODE_POINTS -> "characters";
          case UTF8_BYTES -> "bytes";
        });
    json.writeBooleanProperty("markupCounts", !limit.visible());
  }

  private static void media(JsonGenerator json, MediaRules rules) {
    Json.objects(
        json,
        "media",
        new TreeMap<>(rules.kinds()).entrySet(),
        entry -> {
          Json.word(json, "kind", entry.getKey());
          json.writeNumberProperty("maxBytes", entry.getValue().largest());
          Json.value(json, "types", new TreeSet<>(entry.getValue().types()).stream().toList());
          json.writeBooleanProperty("byAddress", entry.getValue().byUrl());
          json.writeBooleanProperty(
              "caption", rules.caption() != null && entry.getValue().captioned());
        });
    json.writeNumberProperty("filesPerMessage", rules.album());
  }

  private static void limits(JsonGenerator json, String name, Pace pace) {
    Json.objects(
        json,
        name,
        new TreeMap<>(pace.limits()).entrySet(),
        limit -> {
          json.writeNumberProperty("requests", limit.getValue());
          json.writeStringProperty("in", Durations.format(limit.getKey()));
        });
  }
}
