package dev.postrider.sqlite;

import dev.postrider.config.EncryptionKeys;
import dev.postrider.store.Store;
import dev.postrider.testkit.engine.Encryption;
import dev.postrider.testkit.time.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.sqlite.SQLiteConfig;

/** The database file, its log and the files beside it. */
class SqliteEncryptionTest extends Encryption {
  private Path file(Path at) {
    return at.resolve("test.db");
  }

  @Override
  protected Store openStore(Path at, EncryptionKeys with, VirtualTime time) {
    return VirtualStores.open(file(at), with, time);
  }

  @Override
  protected void change(String statement) {
    try (var connection = new SQLiteConfig().createConnection("jdbc:sqlite:" + file(folder));
        var change = connection.createStatement()) {
      change.execute(statement);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected void swapFiles(String oneHash, String otherHash) {
    try {
      Path aside = folder.resolve("aside");
      Files.move(media(oneHash), aside);
      Files.move(media(otherHash), media(oneHash));
      Files.move(aside, media(otherHash));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path media(String hash) {
    return folder.resolve("test.db-media").resolve(hash.substring(0, 2)).resolve(hash + ".enc");
  }

  @Override
  protected String everythingStored() {
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> files = all.filter(Files::isRegularFile).toList();
      StringBuilder text = new StringBuilder();
      for (Path one : files) {
        text.append(new String(Files.readAllBytes(one), StandardCharsets.ISO_8859_1));
      }
      return text.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
