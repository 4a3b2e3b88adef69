package dev.postrider.testkit.platform;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The fields and files of a request, which came as JSON or as a form. */
public final class FormData {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Pattern NAME = Pattern.compile("\\bname=\"([^\"]*)\"");
  private static final Pattern FILENAME = Pattern.compile("\\bfilename=\"([^\"]*)\"");
  private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";]+)");

  /** One file of a form. */
  public record File(String filename, String head, byte[] bytes) {}

  private final Map<String, JsonNode> fields = new HashMap<>();
  private final Map<String, File> files = new HashMap<>();

  private FormData() {}

  public static FormData read(Request request) {
    FormData form = new FormData();
    String type = request.headers().getOrDefault("content-type", "");
    Matcher boundary = BOUNDARY.matcher(type);
    if (type.startsWith("multipart/form-data") && boundary.find()) {
      form.readForm(request.body(), "--" + boundary.group(1));
    } else {
      JSON.readTree(request.body())
          .properties()
          .forEach(e -> form.fields.put(e.getKey(), e.getValue()));
    }
    return form;
  }

  /** A field; a missing one is a node that says so. */
  public JsonNode field(String name) {
    JsonNode field = fields.get(name);
    return field == null ? JSON.missingNode() : field;
  }

  public File file(String name) {
    File file = files.get(name);
    if (file == null) {
      throw new IllegalStateException("the form has no file " + name);
    }
    return file;
  }

  private void readForm(byte[] body, String delimiter) {
    int at = find(body, delimiter, 0);
    while (at >= 0) {
      int start = at + delimiter.length() + 2;
      int headEnd = find(body, "\r\n\r\n", start);
      int next = find(body, "\r\n" + delimiter, start);
      if (headEnd < 0 || next < 0) {
        return;
      }
      String head = new String(body, start, headEnd - start, StandardCharsets.UTF_8);
      add(head, Arrays.copyOfRange(body, headEnd + 4, next));
      at = next + 2;
    }
  }

  private void add(String head, byte[] content) {
    String name = group(NAME, head);
    String filename = group(FILENAME, head);
    if (name != null && filename != null) {
      files.put(name, new File(filename, head, content));
    } else if (name != null) {
      fields.put(name, value(new String(content, StandardCharsets.UTF_8)));
    }
  }

  /** In a form everything is text; what is no string in JSON is written as JSON. */
  private static JsonNode value(String text) {
    try {
      return text.startsWith("{") || text.startsWith("[")
          ? JSON.readTree(text)
          : JSON.getNodeFactory().stringNode(text);
    } catch (JacksonException e) {
      return JSON.getNodeFactory().stringNode(text);
    }
  }

  private static @Nullable String group(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : null;
  }

  private static int find(byte[] bytes, String mark, int from) {
    byte[] wanted = mark.getBytes(StandardCharsets.UTF_8);
    for (int i = from; i <= bytes.length - wanted.length; i++) {
      if (bytes[i] == wanted[0]
          && Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
        return i;
      }
    }
    return -1;
  }
}
