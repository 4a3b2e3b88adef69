package dev.postrider.channels.nostr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library is native code in a jar: it has to be a file for as long as it takes to load it. */
class CurveLibraryTest {
  private static final String OF_ALL_ONES =
      "1b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078f";

  @TempDir Path folder;
  private Path temporary;

  @BeforeEach
  void makeFolder() throws IOException {
    temporary = Files.createDirectory(folder.resolve("tmp"));
  }

  /** Another process that has used its library and waits. */
  private Process working() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                CurveLibraryTest.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      BufferedReader said = process.inputReader();
      assertThat(said.readLine()).isEqualTo("NostrKey[" + OF_ALL_ONES + "]");
    } catch (IOException | RuntimeException | Error e) {
      process.destroyForcibly();
      throw e;
    }
    return process;
  }

  /** What the other process runs. */
  @SuppressWarnings("SystemOut") // its output is how it speaks
  public static void main(String[] args) throws IOException {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) 1);
    System.out.println(NostrKey.of(secret));
    System.in.read();
  }

  @Test
  void a_killed_process_leaves_no_library_in_the_temporary_folder() throws Exception {
    Process process = working();

    process.destroyForcibly().waitFor();

    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void what_earlier_processes_left_in_the_temporary_folder_is_removed_at_start() throws Exception {
    String copy = "secp256k1-6e5c1b8e-8c8e-4e52-9d7c-0a3d6f0f5c11-libsecp256k1-jni.so";
    Path old = Files.writeString(temporary.resolve(copy), "x");
    Path mark = Files.writeString(temporary.resolve(copy + ".lck"), "x");
    Path ours = Files.createDirectory(temporary.resolve("postrider-secp256k1-123"));
    Path inside = Files.writeString(ours.resolve(copy), "x");
    Path others = Files.writeString(temporary.resolve("secp256k1-notes.txt"), "x");
    Path young = Files.writeString(temporary.resolve(copy.replace("6e5c", "0000")), "x");
    FileTime yesterday = FileTime.from(Instant.now().minus(Duration.ofDays(1)));
    for (Path each : List.of(old, mark, inside, ours, others)) {
      Files.setLastModifiedTime(each, yesterday);
    }

    Process process = working();
    try {
      assertThat(temporary.toFile().list())
          .containsExactlyInAnyOrder(
              others.getFileName().toString(), young.getFileName().toString());
    } finally {
      process.destroyForcibly();
    }
  }
}
