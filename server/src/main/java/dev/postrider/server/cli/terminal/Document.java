package dev.postrider.server.cli.terminal;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A file that holds an object: JSON if it begins with a brace, otherwise YAML. */
public final class Document {
  private static final int LONGEST = 64 << 20;

  private Document() {}

  /**
   * Reads a file, or what is piped in.
   *
   * @param file {@code -} for what is piped in
   */
  public static Object read(String file, Terminal terminal) {
    String text = text(file, terminal);
    try {
      @Nullable Object value =
          text.stripLeading().startsWith("{")
              ? JsonMapper.shared().readTree(text)
              : new Load(LoadSettings.builder().setCodePointLimit(LONGEST).build())
                  .loadFromString(text);
      if (value instanceof Map<?, ?> || value instanceof JsonNode) {
        return value;
      }
    } catch (JacksonException e) {
      throw Failure.because(file + " is not JSON: " + e.getOriginalMessage());
    } catch (YamlEngineException e) {
      throw Failure.because(file + " is not YAML: " + e.getMessage());
    }
    throw Failure.because(file + " holds no object; write fields such as name: Friday notice");
  }

  /** A file as it is, or what is piped in. */
  public static String text(String file, Terminal terminal) {
    try {
      return file.equals("-")
          ? new String(terminal.in().readAllBytes(), StandardCharsets.UTF_8)
          : Files.readString(InputFile.checked(Path.of(file)));
    } catch (CharacterCodingException e) {
      throw Failure.usage("'" + file + "' is no text in UTF-8.");
    } catch (IOException e) {
      throw Failure.because("'" + file + "' cannot be read: " + e.getMessage());
    }
  }
}
