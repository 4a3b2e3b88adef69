package dev.postrider.server.http;

import dev.postrider.Postrider;
import dev.postrider.message.Media;
import dev.postrider.message.Message;
import dev.postrider.store.Blob;
import io.helidon.http.HeaderNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.commons.fileupload2.core.FileUploadSizeException;
import org.apache.commons.fileupload2.core.MultipartInput;
import org.apache.commons.fileupload2.core.ParameterParser;
import org.jspecify.annotations.Nullable;

/**
 * A message and its files in one request ({@code multipart/form-data}). The part {@code message} is
 * the JSON; every other part is a file, streamed into custody as it arrives. An item of the
 * message's media names a file as {@code attach:<part name>}; files that no item names are attached
 * after the others, in their order.
 *
 * @param message null if the form has none
 */
record Form(byte @Nullable [] message, List<Upload> files) {
  private static final String TYPE = "multipart/form-data";
  private static final String ATTACHED = "attach:";
  private static final int LARGEST_HEAD = 8192;
  private static final int MOST_FILES = 100;

  /** A file, in custody. */
  record Upload(String name, @Nullable String filename, Blob blob) {}

  static boolean isForm(Call call) {
    return call.contentType().startsWith(TYPE);
  }

  static Form read(Call call, Postrider postrider) {
    @Nullable String boundary =
        parameters(call.header(HeaderNames.CONTENT_TYPE).orElse("")).get("boundary");
    if (boundary == null) {
      throw HttpProblem.malformed("The form's content type names no boundary.");
    }
    byte @Nullable [] message = null;
    List<Upload> files = new ArrayList<>();
    try {
      MultipartInput form =
          MultipartInput.builder()
              .setInputStream(call.stream())
              .setBoundary(boundary.getBytes(StandardCharsets.ISO_8859_1))
              .setMaxPartHeaderSize(LARGEST_HEAD)
              .get();
      form.setHeaderCharset(StandardCharsets.UTF_8);
      for (boolean more = form.skipPreamble(); more; more = form.readBoundary()) {
        Map<String, String> disposition = disposition(form.readHeaders());
        String name = disposition.getOrDefault("name", "");
        try (InputStream content = form.newInputStream()) {
          if (name.equals("message")) {
            message = call.limited(content);
          } else if (files.size() == MOST_FILES) {
            throw HttpProblem.invalid("media", "must not hold more than " + MOST_FILES + " files");
          } else {
            files.add(
                new Upload(
                    name,
                    filename(disposition.get("filename")),
                    MediaApi.hold(postrider, content)));
          }
        }
      }
    } catch (MultipartInput.MalformedStreamException | FileUploadSizeException e) {
      throw HttpProblem.malformed("The form cannot be read: " + e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Form(message, files);
  }

  /** The message with its files attached. */
  Message attached(MessageDraft.Turns turns) {
    if (message == null) {
      throw HttpProblem.invalid("message", "is missing; send the message as a part of that name");
    }
    Message read = MessageJson.read(message, 0, message.length, turns);
    List<Media> media = new ArrayList<>();
    Set<String> named = new LinkedHashSet<>();
    for (Media item : read.media()) {
      media.add(item.url().startsWith(ATTACHED) ? bound(item, named, media.size()) : item);
    }
    for (Upload file : files) {
      if (!named.contains(file.name)) {
        media.add(Media.held(file.blob.hash()).named(file.filename));
      }
    }
    return read.toBuilder().media(media).build();
  }

  private Media bound(Media item, Set<String> named, int index) {
    String name = item.url().substring(ATTACHED.length());
    for (Upload file : files) {
      if (file.name.equals(name)) {
        named.add(name);
        Media held = item.movedTo(Media.held(file.blob.hash()).url());
        return held.filename() == null ? held.named(file.filename) : held;
      }
    }
    throw HttpProblem.invalid(
        "media[" + index + "].url", "names the file '" + name + "', which the form does not bring");
  }

  private static Map<String, String> disposition(String headers) {
    for (String line : headers.split("\r\n")) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-disposition:")) {
        return parameters(line.substring(line.indexOf(':') + 1));
      }
    }
    return Map.of();
  }

  private static Map<String, String> parameters(String header) {
    ParameterParser parser = new ParameterParser();
    parser.setLowerCaseNames(true);
    return parser.parse(header, ';');
  }

  /** Some clients send the whole path; what people shall see is the name. */
  private static @Nullable String filename(@Nullable String given) {
    if (given == null || given.isBlank()) {
      return null;
    }
    return given.substring(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  }
}
