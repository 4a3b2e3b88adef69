package dev.postrider.channels.discord;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What somebody did to the bot and may be answered for a while: a command that Discord shows as
 * "thinking" until it is answered, or a button. It is remembered by its id. A command has that for
 * its {@code messageId}, and is remembered as the chat's last one as well: a message that replies
 * to it, or belongs to a turn and replies to nothing, is the answer.
 *
 * @param isPrivate whether only who gave it sees the answer, which was decided when it came
 * @param isAnswered whether the "thinking" has ended; what follows are messages of their own
 */
record OpenCommand(
    String chat,
    String id,
    String applicationId,
    String token,
    boolean isPrivate,
    boolean isAnswered) {
  private static final String LAST = "command";
  private static final String BY_ID = "command:";

  /** A quarter of an hour, less what a request may take. */
  private static final Duration OPEN = Duration.ofMinutes(14);

  /** What an interaction leaves to be remembered. */
  static List<Remembered> remember(JsonNode interaction, boolean isPrivate) {
    String chat = interaction.path("channel_id").asString("");
    OpenCommand command =
        new OpenCommand(
            chat,
            interaction.path("id").asString(""),
            interaction.path("application_id").asString(""),
            interaction.path("token").asString(""),
            isPrivate,
            !DiscordEvents.isThinking(interaction));
    if (chat.isEmpty()
        || !Snowflake.is(command.id)
        || !Snowflake.is(command.applicationId)
        || !Interaction.isToken(command.token)) {
      return List.of();
    }
    return command.isAnswered
        ? List.of(command.remembered())
        : List.of(command.remembered(), Remembered.until(command.until(), chat, LAST, command.id));
  }

  private Remembered remembered() {
    return Remembered.until(
        until(),
        chat,
        BY_ID + id,
        Json.write(
            Map.of(
                "applicationId",
                applicationId,
                "token",
                token,
                "private",
                isPrivate,
                "answered",
                isAnswered)));
  }

  private Instant until() {
    return Snowflake.time(id).plus(OPEN);
  }

  /** What a delivered answer leaves to be remembered. */
  List<Remembered> answered(Memory memory) {
    OpenCommand done = new OpenCommand(chat, id, applicationId, token, isPrivate, true);
    return memory.read(chat, LAST).filter(id::equals).isPresent()
        ? List.of(done.remembered(), Remembered.forget(chat, LAST))
        : List.of(done.remembered());
  }

  /** The command that a part answers, or null. */
  static @Nullable OpenCommand of(Dispatch dispatch, Memory memory) {
    String chat = dispatch.to();
    String reply = dispatch.message().replyToId();
    Optional<String> id =
        reply != null
            ? Optional.of(reply).filter(Snowflake::is)
            : Optional.ofNullable(dispatch.message().turnId())
                .flatMap(_ -> memory.read(chat, LAST));
    return id.map(it -> byId(it, chat, memory)).orElse(null);
  }

  /** The one with this id in a chat; null if it is over, or was never told of. */
  static @Nullable OpenCommand byId(String id, String chat, Memory memory) {
    return memory.read(chat, BY_ID + id).map(value -> parse(chat, id, value)).orElse(null);
  }

  private static @Nullable OpenCommand parse(String chat, String id, String value) {
    JsonNode node = Json.readObject(value);
    return node == null
        ? null
        : new OpenCommand(
            chat,
            id,
            node.path("applicationId").asString(""),
            node.path("token").asString(""),
            node.path("private").asBoolean(false),
            node.path("answered").asBoolean(false));
  }

  /** A token lets its bearer answer. */
  @Override
  public String toString() {
    return "OpenCommand[" + id + "]";
  }
}
