package dev.postrider.server.openclaw;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The table {@code delivery_queue_entries} of a later version's SQLite file. It is opened for
 * reading only and stays as it is; that an entry was imported is known by its receipt.
 */
final class DatabaseQueue implements EntryQueue {
  // primary key: the queue of sessions, which has another shape, is not looked at
  private static final String PLACES =
      """
      SELECT queue_name, id, status
      FROM delivery_queue_entries
      WHERE queue_name IN ('outbound', 'outbound-delivery')
      ORDER BY queue_name, id
      """;

  // primary key
  private static final String ENTRY =
      """
      SELECT entry_json
      FROM delivery_queue_entries
      WHERE queue_name = ? AND id = ? AND length(entry_json) <= ?
      """;

  private final Connection connection;
  private final List<Place> places = new ArrayList<>();

  /**
   * @throws IOException if it is no such file, with the reason
   */
  DatabaseQueue(Path file) throws IOException {
    try {
      connection = DriverManager.getConnection(readOnly(file.toAbsolutePath()));
    } catch (SQLException e) {
      throw unreadable(e);
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(PLACES)) {
      while (rows.next()) {
        places.add(
            new Place(
                rows.getString(1) + "/" + rows.getString(2),
                rows.getString(2),
                standing(rows.getString(3))));
      }
    } catch (SQLException e) {
      close();
      throw unreadable(e);
    }
  }

  /** Where nothing waits to be taken into the file, no other file is made beside it, either. */
  private static String readOnly(Path file) throws IOException {
    Path log = file.resolveSibling(file.getFileName() + "-wal");
    boolean whole = !Files.exists(log) || Files.size(log) == 0;
    return "jdbc:sqlite:file:%s?mode=ro%s"
        .formatted(file.toUri().getRawPath(), whole ? "&immutable=1" : "");
  }

  private static IOException unreadable(SQLException e) {
    return new IOException("it has no table delivery_queue_entries to read: " + e.getMessage(), e);
  }

  private static Standing standing(String status) {
    return switch (status) {
      case "pending" -> Standing.PENDING;
      case "completed", "delivered", "acked" -> Standing.DELIVERED;
      default -> Standing.FAILED; // what it is not clear about is not sent
    };
  }

  @Override
  public List<Place> places() {
    return places;
  }

  @Override
  public List<Noted> left() {
    return List.of();
  }

  @Override
  public byte[] read(Place place) throws Unusable {
    try (PreparedStatement statement = connection.prepareStatement(ENTRY)) {
      int slash = place.name().indexOf('/');
      statement.setString(1, place.name().substring(0, slash));
      statement.setString(2, place.id());
      statement.setInt(3, LARGEST);
      try (ResultSet row = statement.executeQuery()) {
        byte[] bytes = row.next() ? row.getString(1).getBytes(UTF_8) : null;
        if (bytes == null || bytes.length > LARGEST) {
          throw new Unusable("it is larger than 16 MiB, or gone");
        }
        return bytes;
      }
    } catch (SQLException e) {
      throw new Unusable("it cannot be read (" + e.getMessage() + ")");
    }
  }

  @Override
  public void archive(Place place) {}

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
