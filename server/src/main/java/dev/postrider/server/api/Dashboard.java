package dev.postrider.server.api;

import io.helidon.http.HeaderNames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard's files, the libraries it uses and the API's description, from the class path. The
 * libraries are served as their makers publish them: nothing is bundled, so nothing but Java is
 * needed to build.
 */
public final class Dashboard {
  /** Libraries by the name in their address, with the names of their artifacts. */
  private static final Map<String, String> LIBRARIES =
      Map.of(
          "lit-html", "lit-html",
          "reactive-element", "lit__reactive-element",
          "chart.js", "chart.js");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml",
          "json", Json.TYPE);

  /** Nothing from elsewhere, nothing inline, and in nobody's frame. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
              + " img-src 'self'"
              + " data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "Cache-Control",
          "no-cache",
          "Referrer-Policy",
          "no-referrer",
          "Vary",
          "Accept-Encoding");

  private static final Pattern FILE_NAME = Pattern.compile("[a-z0-9][a-z0-9.-]*\\.(js|css|svg)");
  private static final Pattern FOLDER_NAME = Pattern.compile("[a-z0-9-]+");

  /** What was asked for before. Only files that exist are in it. */
  private final Map<String, Content> contents = new ConcurrentHashMap<>();

  /** A file, as it is and as browsers like to get it. */
  private record Content(String type, byte[] plain, byte[] zipped, String tag) {}

  public List<Route> routes() {
    return List.of(
        Route.open("/", call -> answer(call, "/dashboard/index.html")),
        Route.open("/openapi.json", call -> answer(call, "/openapi.json")),
        Route.open("/assets/{file}", call -> answer(call, "/dashboard/" + file(call))),
        Route.open(
            "/assets/{folder}/{file}",
            call -> answer(call, "/dashboard/" + folder(call) + "/" + file(call))),
        Route.open("/lib/{library}/{file}", call -> answer(call, library(call) + file(call))),
        Route.open(
            "/lib/{library}/{folder}/{file}",
            call -> answer(call, library(call) + folder(call) + "/" + file(call))));
  }

  private static String file(ApiRequest call) {
    return checked(call, "file", FILE_NAME);
  }

  private static String folder(ApiRequest call) {
    return checked(call, "folder", FOLDER_NAME);
  }

  private static String checked(ApiRequest call, String segment, Pattern pattern) {
    String name = call.path(segment);
    if (!pattern.matcher(name).matches()) {
      throw HttpProblem.notFound("There is no such file.");
    }
    return name;
  }

  /** Where a library's files are; its version is that of the jar on the class path. */
  private static String library(ApiRequest call) {
    @Nullable String artifact = LIBRARIES.get(call.path("library"));
    if (artifact == null) {
      throw HttpProblem.notFound("There is no such library.");
    }
    String facts = "/META-INF/maven/org.webjars.npm/%s/pom.properties".formatted(artifact);
    Properties properties = new Properties();
    try (@Nullable InputStream in = Dashboard.class.getResourceAsStream(facts)) {
      if (in == null) {
        throw new IllegalStateException("The build lacks " + facts + ".");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "/META-INF/resources/webjars/%s/%s/"
        .formatted(artifact, properties.getProperty("version"));
  }

  private ApiResponse answer(ApiRequest call, String resource) {
    @Nullable Content content = contents.computeIfAbsent(resource, Dashboard::load);
    if (content == null) {
      throw HttpProblem.notFound("There is no such file.");
    }
    Map<String, String> headers = new HashMap<>(HEADERS);
    headers.put("ETag", content.tag());
    if (call.header(HeaderNames.IF_NONE_MATCH).filter(content.tag()::equals).isPresent()) {
      return new ApiResponse.Whole(304, "", new byte[0], headers);
    }
    boolean zip =
        call.header(HeaderNames.ACCEPT_ENCODING)
            .filter(accepted -> accepted.toLowerCase(Locale.ROOT).contains("gzip"))
            .isPresent();
    if (zip) {
      headers.put("Content-Encoding", "gzip");
    }
    byte[] body = zip ? content.zipped() : content.plain();
    return new ApiResponse.Whole(200, content.type(), body, headers);
  }

  private static @Nullable Content load(String resource) {
    try (@Nullable InputStream in = Dashboard.class.getResourceAsStream(resource)) {
      if (in == null) {
        return null;
      }
      byte[] plain = in.readAllBytes();
      String type = TYPES.getOrDefault(resource.substring(resource.lastIndexOf('.') + 1), "");
      CRC32C checksum = new CRC32C();
      checksum.update(plain);
      String tag = "\"%x-%x\"".formatted(plain.length, checksum.getValue());
      return new Content(type, plain, zipped(plain), tag);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] zipped(byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(plain);
    }
    return bytes.toByteArray();
  }
}
