package dev.postrider.sqlite.backup;

import dev.postrider.sqlite.file.OwnersOnly;
import dev.postrider.store.StoreBackup.Contents;
import dev.postrider.store.StoreBackup.Progress;
import dev.postrider.store.failure.StoreRefused;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Enumeration;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * A backup as a file: a zip, so that everybody's tools can look into it and check it.
 *
 * <pre>
 *   backup.properties   what is in it
 *   postrider.db        the database
 *   media/ab/ab12…      the files beside it, encrypted if they are
 * </pre>
 */
final class BackupFile {
  static final String DATABASE = "postrider.db";
  static final String MEDIA = "media/";
  private static final String ABOUT = "backup.properties";
  private static final String KIND = "postrider-backup";
  private static final int VERSION = 1;
  private static final int BUFFER = 1 << 16;

  private BackupFile() {}

  // ---- writing

  /** Writes an archive through a channel that stays open. */
  static final class Writer implements AutoCloseable {
    private final ZipOutputStream zip;
    private final Progress progress;
    private final long all;
    private long done;

    /**
     * @param all how many bytes will come
     */
    Writer(FileChannel to, Contents contents, long all, Progress progress) throws IOException {
      this.zip = new ZipOutputStream(new BufferedOutputStream(new Unclosed(to), BUFFER));
      this.progress = progress;
      this.all = all;
      byte[] about = about(contents).getBytes(StandardCharsets.UTF_8);
      add(ABOUT, new ByteArrayInputStream(about));
    }

    /** A database gets much smaller; pictures and what is encrypted do not. */
    void add(String name, InputStream bytes) throws IOException {
      zip.setLevel(name.startsWith(MEDIA) ? Deflater.NO_COMPRESSION : Deflater.BEST_SPEED);
      zip.putNextEntry(new ZipEntry(name));
      byte[] buffer = new byte[BUFFER];
      for (int count = bytes.read(buffer); count >= 0; count = bytes.read(buffer)) {
        zip.write(buffer, 0, count);
        done += count;
        progress.at("written", done, all);
      }
      zip.closeEntry();
    }

    @Override
    public void close() throws IOException {
      zip.close();
    }
  }

  private static final class Unclosed extends OutputStream {
    private final OutputStream channel;

    Unclosed(FileChannel channel) {
      this.channel = Channels.newOutputStream(channel);
    }

    @Override
    public void write(int one) throws IOException {
      channel.write(one);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      channel.write(bytes, offset, length);
    }
  }

  private static String about(Contents contents) {
    return """
    kind=%s
    version=%d
    takenAt=%s
    postrider=%s
    format=%d
    messages=%d
    waiting=%d
    files=%d
    missing=%s
    """
        .formatted(
            KIND,
            VERSION,
            contents.takenAt(),
            contents.version(),
            contents.format(),
            contents.messages(),
            contents.waiting(),
            contents.files(),
            String.join(" ", contents.missing()));
  }

  // ---- reading

  /** Where the bytes of an entry go. */
  @FunctionalInterface
  interface Sink {
    void take(String name, InputStream bytes) throws IOException;
  }

  /**
   * Reads a backup to its end, and compares what was read with what was written.
   *
   * @throws StoreRefused if it is not whole, or is none
   */
  static Contents read(Path file, Sink sink, Progress progress) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      Contents contents = contents(zip, file);
      long all = zip.stream().mapToLong(ZipEntry::getSize).sum();
      long done = 0;
      long files = 0;
      boolean database = false;
      for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
        ZipEntry entry = entries.nextElement();
        read(zip, entry, sink, file);
        done += entry.getSize();
        progress.at("read", done, all);
        files += entry.getName().startsWith(MEDIA) ? 1 : 0;
        database |= entry.getName().equals(DATABASE);
      }
      if (!database || files != contents.files()) {
        throw damaged(file, "something is missing in it");
      }
      return contents;
    } catch (ZipException e) {
      throw damaged(file, String.valueOf(e.getMessage()));
    }
  }

  /** What a backup says that it holds, without looking whether it does. */
  static Contents contents(Path file) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return contents(zip, file);
    } catch (ZipException e) {
      throw damaged(file, String.valueOf(e.getMessage()));
    }
  }

  private static void read(ZipFile zip, ZipEntry entry, Sink sink, Path file) throws IOException {
    CRC32 found = new CRC32();
    try (InputStream bytes = new CheckedInputStream(zip.getInputStream(entry), found)) {
      sink.take(entry.getName(), bytes);
      bytes.transferTo(OutputStream.nullOutputStream());
    }
    if (found.getValue() != entry.getCrc()) {
      throw damaged(file, entry.getName() + " is not as it was written");
    }
  }

  private static Contents contents(ZipFile zip, Path file) throws IOException {
    ZipEntry entry = zip.getEntry(ABOUT);
    Properties about = new Properties();
    if (entry != null) {
      try (InputStream bytes = zip.getInputStream(entry)) {
        about.load(bytes);
      }
    }
    if (!KIND.equals(about.getProperty("kind"))) {
      throw new StoreRefused(file + " is no backup of Postrider's");
    }
    try {
      int version = (int) number(about, "version");
      if (version > VERSION) {
        throw new StoreRefused(
            "%s was taken by Postrider %s, in a form that this version does not know"
                .formatted(file, about.getProperty("postrider")));
      }
      String missing = about.getProperty("missing", "");
      return new Contents(
          Instant.parse(about.getProperty("takenAt", "")),
          about.getProperty("postrider", ""),
          (int) number(about, "format"),
          number(about, "messages"),
          number(about, "waiting"),
          number(about, "files"),
          missing.isEmpty() ? List.of() : List.of(missing.split(" ")),
          Files.size(file));
    } catch (DateTimeException | NumberFormatException e) {
      throw damaged(file, ABOUT + " cannot be read");
    }
  }

  private static long number(Properties about, String name) {
    return Long.parseLong(about.getProperty(name, ""));
  }

  private static StoreRefused damaged(Path file, String how) {
    return new StoreRefused(file + " is damaged: " + how);
  }

  /** A new file that only its owner may read. */
  static FileChannel create(Path file) throws IOException {
    return FileChannel.open(
        file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OwnersOnly.FILE);
  }
}
