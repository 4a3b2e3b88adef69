package dev.postrider.channels.mattermost;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.WebAddress;
import dev.postrider.channels.http.Multipart;
import dev.postrider.channels.mattermost.MattermostApi.Answer;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Brings a part's files. An upload shows nothing to anybody, so a failed one is always made again;
 * what is uploaded belongs to the post that first names it.
 */
final class MattermostFiles {
  /** Mattermost does not take these files, but what they are about can still be said. */
  private static final Set<String> REFUSALS =
      Set.of(
          "api.file.attachments.disabled.app_error",
          "api.file.upload_file.abac_denied.app_error",
          "api.file.upload_file.storage.app_error",
          "api.file.upload_file.too_large.app_error",
          "api.file.upload_file.too_large_detailed.app_error",
          "api.file.upload_file.large_image.app_error",
          "api.file.upload_file.large_image_detailed.app_error");

  private final MattermostApi api;

  MattermostFiles(MattermostApi api) {
    this.api = api;
  }

  /** What Mattermost calls the files, or why it does not have them. */
  sealed interface Brought {
    record All(List<String> ids) implements Brought {}

    record Not(Outcome outcome) implements Brought {}
  }

  Brought bring(Dispatch dispatch, String channel) {
    List<String> ids = new ArrayList<>();
    for (PartFile file : dispatch.cargo()) {
      Answer answer = upload(dispatch.key(), file, channel);
      String id =
          answer instanceof Answer.Done(JsonNode body, _)
              ? body.path("file_infos").path(0).path("id").asString("")
              : "";
      if (id.isEmpty()) {
        return new Brought.Not(refused(answer, dispatch));
      }
      ids.add(id);
    }
    return new Brought.All(ids);
  }

  private Answer upload(String key, PartFile file, String channel) {
    Attachment attachment = file.attachment();
    Multipart form =
        Multipart.builder(key)
            .field("channel_id", channel)
            .file(
                "files",
                name(attachment),
                attachment.type(),
                Objects.requireNonNull(file.bytes(), "Mattermost gets every file as bytes"))
            .build();
    return api.ask(api.call("POST", "/files").form(form), Blame.MESSAGE);
  }

  private static Outcome refused(Answer answer, Dispatch dispatch) {
    if (!(answer instanceof Answer.Failed(_, Outcome outcome))) {
      return new Outcome.NotSent("Mattermost took a file and did not say what it calls it");
    }
    boolean linkable =
        dispatch.part().media().stream().allMatch(file -> WebAddress.of(file.url()) != null);
    return outcome instanceof Outcome.Rejected(_, String cause) && linkable && isAboutFile(cause)
        ? new Outcome.Repairable(new Fix.LinkInstead(), cause)
        : MattermostApi.unseen(outcome);
  }

  private static boolean isAboutFile(String cause) {
    return REFUSALS.stream().anyMatch(cause::contains);
  }

  private static String name(Attachment file) {
    return file.filename() == null ? MediaTypes.name(file.kind(), file.type()) : file.filename();
  }

  /** What to say of a post that came without some of its files; null if they are all there. */
  static @Nullable String missing(JsonNode post, List<String> files) {
    int shown = post.path("file_ids").size();
    return shown >= files.size()
        ? null
        : "Mattermost shows %d of %d files".formatted(shown, files.size());
  }
}
