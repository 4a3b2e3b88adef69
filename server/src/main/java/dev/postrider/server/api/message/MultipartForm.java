package dev.postrider.server.api.message;

import dev.postrider.Postrider;
import dev.postrider.message.Media;
import dev.postrider.message.Message;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.store.media.Blob;
import io.helidon.http.HeaderNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.fileupload.FileItemHeaders;
import org.apache.commons.fileupload.FileItemIterator;
import org.apache.commons.fileupload.FileItemStream;
import org.apache.commons.fileupload.FileUpload;
import org.apache.commons.fileupload.FileUploadBase.FileUploadIOException;
import org.apache.commons.fileupload.FileUploadException;
import org.apache.commons.fileupload.InvalidFileNameException;
import org.apache.commons.fileupload.MultipartStream.IllegalBoundaryException;
import org.apache.commons.fileupload.MultipartStream.MalformedStreamException;
import org.apache.commons.fileupload.UploadContext;
import org.jspecify.annotations.Nullable;

/**
 * A message and its files in one request ({@code multipart/form-data}). The part {@code message} is
 * the JSON; every other part is a file, streamed into custody as it arrives. An item of the
 * message's media names a file as {@code attach:<part name>}; files that no item names are attached
 * after the others, in their order.
 *
 * @param message null if the form has none
 */
record MultipartForm(byte @Nullable [] message, List<Upload> files) {
  private static final String TYPE = "multipart/form-data";
  private static final String ATTACHED = "attach:";
  private static final int LARGEST_HEAD = 8192;
  private static final int MOST_FILES = 100;

  /** A file, in custody. */
  record Upload(String name, @Nullable String filename, Blob blob) {}

  static boolean isForm(ApiRequest call) {
    return call.contentType().startsWith(TYPE);
  }

  static MultipartForm read(ApiRequest call, Postrider postrider) {
    byte @Nullable [] message = null;
    List<Upload> files = new ArrayList<>();
    try {
      FileItemIterator parts = new Reader().getItemIterator(new Request(call));
      while (parts.hasNext()) {
        FileItemStream part = parts.next();
        try (InputStream content = part.openStream()) {
          if (part.getFieldName().equals("message")) {
            message = call.limited(content);
          } else if (files.size() == MOST_FILES) {
            throw HttpProblem.invalid("media", "must not hold more than " + MOST_FILES + " files");
          } else {
            String filename = filename(part.getName());
            files.add(new Upload(part.getFieldName(), filename, MediaApi.hold(postrider, content)));
          }
        }
      }
    } catch (FileUploadException
        | MalformedStreamException
        | IllegalBoundaryException
        | InvalidFileNameException e) {
      throw HttpProblem.malformed("The form cannot be read: " + e.getMessage());
    } catch (FileUploadIOException e) {
      throw HttpProblem.malformed("The form cannot be read: " + e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new MultipartForm(message, files);
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

  /** Some clients send the whole path; what people shall see is the name. */
  private static @Nullable String filename(@Nullable String given) {
    if (given == null || given.isBlank()) {
      return null;
    }
    return given.substring(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  }

  private static final class Reader extends FileUpload {
    Reader() {
      setHeaderEncoding("UTF-8");
      setPartHeaderSizeMax(LARGEST_HEAD);
    }

    /** The library would leave out a part without a name, in silence. */
    @Override
    protected String getFieldName(FileItemHeaders headers) {
      @Nullable String name = super.getFieldName(headers);
      if (name == null) {
        throw HttpProblem.malformed("A part of the form has no name.");
      }
      return name;
    }

    @Override
    protected byte[] getBoundary(String contentType) {
      byte @Nullable [] boundary = super.getBoundary(contentType);
      if (boundary == null || boundary.length == 0) {
        throw HttpProblem.malformed("The form's content type names no boundary.");
      }
      return boundary;
    }
  }

  private record Request(ApiRequest call) implements UploadContext {
    @Override
    public String getCharacterEncoding() {
      return "UTF-8";
    }

    @Override
    public String getContentType() {
      return call.header(HeaderNames.CONTENT_TYPE).orElse("");
    }

    @Override
    public long contentLength() {
      return -1; // bounded elsewhere
    }

    @Override
    @Deprecated
    public int getContentLength() {
      return -1;
    }

    @Override
    public InputStream getInputStream() {
      return call.stream();
    }
  }
}
