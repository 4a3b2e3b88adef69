package dev.postrider.channels.discord;

import dev.postrider.channel.Channel;
import dev.postrider.channels.Settings;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Commands whose answers only who gave them sees. Discord wants to know that at once, before
 * anybody has thought of an answer, and does not let it be changed later.
 *
 * @param names of commands, or custom ids of forms; {@code all} stands for all
 */
record PrivateCommands(Set<String> names) {
  static final Channel.Setting SETTING =
      new Channel.Setting(
          "privateCommands",
          false,
          false,
          "commands (and forms) whose answers only who gave them sees: names, or all; none");

  static PrivateCommands of(Settings settings) {
    return new PrivateCommands(Set.copyOf(settings.texts(SETTING.name())));
  }

  boolean isPrivate(JsonNode interaction) {
    JsonNode data = interaction.path("data");
    return names.contains("all")
        || names.contains(data.path("name").asString(""))
        || names.contains(data.path("custom_id").asString(""));
  }
}
