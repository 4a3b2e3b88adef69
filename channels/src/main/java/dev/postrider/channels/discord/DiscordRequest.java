package dev.postrider.channels.discord;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Multipart;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of Discord for one part: the fields of the new message, and its files.
 *
 * @param key what the form's entries are kept apart by, if it is one
 */
record DiscordRequest(Map<String, @Nullable Object> fields, List<PartFile> files, String key) {
  private static final int SILENT = 1 << 12;
  private static final int NO_PREVIEWS = 1 << 2;
  static final int FOR_ONE_PERSON = 1 << 6;

  /** What holds for all of a message. */
  static final Set<String> OPTIONS =
      Set.of("allowed_mentions", "username", "avatar_url", "tts", Interaction.FIELD);

  /** One of these is needed. */
  private static final List<String> CONTENTS =
      List.of(
          "content",
          "embeds",
          "components",
          "poll",
          "sticker_ids",
          "attachments",
          "message_reference"); // to forward

  /** A message of a bot. Discord knows it again by its nonce. */
  static DiscordRequest message(Dispatch dispatch) {
    DiscordRequest request = webhook(dispatch);
    Map<String, @Nullable Object> fields = request.fields;
    String reply = dispatch.replyToId();
    if (reply != null) {
      fields.put("message_reference", Map.of("message_id", reply, "fail_if_not_exists", false));
    }
    fields.put("nonce", nonce(dispatch.key()));
    fields.put("enforce_nonce", true);
    return request;
  }

  /** A follow-up to an interaction, which is a message of its webhook. */
  static DiscordRequest followUp(Dispatch dispatch) {
    DiscordRequest request = webhook(dispatch);
    request.fields.remove(Interaction.FIELD);
    return request;
  }

  /** A message that follows the first answer to a command, seen by whoever sees that. */
  static DiscordRequest further(Dispatch dispatch, boolean isPrivate) {
    DiscordRequest request = followUp(dispatch);
    if (isPrivate) {
      request.fields.put("flags", flags(request.fields) | FOR_ONE_PERSON);
    }
    return request;
  }

  /** What the "thinking" of a command becomes; most of what a message is cannot be changed then. */
  static DiscordRequest answer(Dispatch dispatch) {
    DiscordRequest request = followUp(dispatch);
    int flags = flags(request.fields) & NO_PREVIEWS;
    request.fields.keySet().removeAll(List.of("flags", "username", "avatar_url", "tts"));
    if (flags != 0) {
      request.fields.put("flags", flags);
    }
    return request;
  }

  /** A message of a webhook, which neither quotes nor is known again. */
  static DiscordRequest webhook(Dispatch dispatch) {
    // What the message itself says goes on top: channel data never changes whom or what.
    Map<String, @Nullable Object> fields = new LinkedHashMap<>(dispatch.channelData());
    Map<String, @Nullable Object> all = dispatch.message().channelData();
    if (dispatch.state().has(Fix.DropReply.class)) {
      fields.remove("message_reference");
    }
    fields.putIfAbsent("allowed_mentions", Map.of("parse", List.of()));
    String text = dispatch.text();
    if (text != null) {
      fields.put("content", text);
    }
    int flags = flags(fields) | (flags(all) & (NO_PREVIEWS | FOR_ONE_PERSON));
    if (dispatch.silent()) {
      flags |= SILENT;
    }
    if (flags != 0) {
      fields.put("flags", flags);
    }
    if (!dispatch.cargo().isEmpty()) {
      fields.put("attachments", attachments(dispatch.cargo()));
    }
    return new DiscordRequest(fields, dispatch.cargo(), dispatch.key());
  }

  /** Whether there is something to be seen. */
  boolean hasContent() {
    return CONTENTS.stream().anyMatch(fields::containsKey);
  }

  private static int flags(Map<String, @Nullable Object> fields) {
    return fields.get("flags") instanceof Number given ? given.intValue() : 0;
  }

  /** At most 25 characters fit; these are 22. */
  static String nonce(String key) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(HexFormat.of().parseHex(key));
  }

  private static List<Map<String, String>> attachments(List<PartFile> files) {
    List<Map<String, String>> attachments = new ArrayList<>();
    for (PartFile file : files) {
      attachments.add(Map.of("id", "" + attachments.size(), "filename", name(file.attachment())));
    }
    return attachments;
  }

  private static String name(Attachment file) {
    return file.filename() == null ? MediaTypes.name(file.kind(), file.type()) : file.filename();
  }

  /** The request with this body: JSON, or a form if there are files. */
  HttpCall on(HttpCall call) {
    if (files.isEmpty()) {
      return call.json(fields);
    }
    Multipart.Builder form = Multipart.builder(key).field("payload_json", Json.write(fields));
    for (int i = 0; i < files.size(); i++) {
      Attachment file = files.get(i).attachment();
      PartFile.Bytes bytes =
          Objects.requireNonNull(files.get(i).bytes(), "Discord fetches nothing");
      form.file("files[" + i + "]", name(file), file.type(), bytes);
    }
    return call.form(form.build());
  }
}
