package dev.postrider.sqlite;

/** The statements about what comes from platforms; see {@link Sql}. */
final class InboundSql {
  private InboundSql() {}

  private static final String EVENT = " id, uid, account, session, status, received, content ";

  private static final String WORD =
      " r.account, r.receipt, m.uid, r.part, r.state, r.at, r.detail, r.unclaimed ";

  // ---- events

  static final String ADD_EVENT =
      "INSERT INTO inbound (uid, account, name, session, status, received, content)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account, name) DO NOTHING RETURNING id";

  // inbound_name
  static final String KNOWN_EVENT = "SELECT uid FROM inbound WHERE account = ? AND name = ?";

  // primary key
  static final String SAVE_CURSOR =
      "INSERT INTO inbound_cursor (account, cursor) VALUES (?, ?)"
          + " ON CONFLICT (account) DO UPDATE SET cursor = excluded.cursor";

  // primary key
  static final String CURSOR = "SELECT cursor FROM inbound_cursor WHERE account = ?";

  // inbound_uid
  static final String EVENT_BY_UID = "SELECT" + EVENT + "FROM inbound WHERE uid = ?";

  // primary key, backwards
  static final String LIST_EVENTS =
      "SELECT" + EVENT + "FROM inbound WHERE id < ? ORDER BY id DESC LIMIT ?";

  // inbound_session, backwards
  static final String LIST_EVENTS_OF_SESSION =
      "SELECT" + EVENT + "FROM inbound WHERE session = ? AND id < ? ORDER BY id DESC LIMIT ?";

  // inbound_account, backwards
  static final String LIST_EVENTS_OF_ACCOUNT =
      "SELECT"
          + EVENT
          + "FROM inbound INDEXED BY inbound_account WHERE account = ? AND id < ?"
          + " ORDER BY id DESC LIMIT ?";

  // inbound_received, primary key
  static final String DELETE_EVENTS =
      "DELETE FROM inbound WHERE id IN"
          + " (SELECT id FROM inbound WHERE received < ? ORDER BY received LIMIT ?)";

  // ---- receipts

  // receipt's primary key, message's primary key
  static final String WORD_ON =
      "SELECT"
          + WORD
          + "FROM receipt r LEFT JOIN message m ON m.id = r.message WHERE r.account = ? AND r.name = ?";

  // receipt's primary key. The first claim stays.
  static final String CLAIM =
      "INSERT INTO receipt (account, name, receipt, message, part) VALUES (?, ?, ?, ?, ?)"
          + " ON CONFLICT (account, name) DO UPDATE SET message = excluded.message, part = excluded.part,"
          + " unclaimed = NULL WHERE message IS NULL";

  // receipt's primary key
  static final String SAVE_WORD =
      "INSERT INTO receipt (account, name, receipt, state, at, detail, unclaimed) VALUES (?, ?, ?, ?, ?, ?, ?)"
          + " ON CONFLICT (account, name) DO UPDATE"
          + " SET state = excluded.state, at = excluded.at, detail = excluded.detail";

  // message_uid, receipt_message
  static final String RECEIPTS =
      "SELECT part, receipt, state, at, detail FROM receipt"
          + " WHERE message = (SELECT id FROM message WHERE uid = ?) ORDER BY part";

  // receipt_message
  static final String DELETE_RECEIPTS = "DELETE FROM receipt WHERE message = ?";

  // receipt_unclaimed, receipt's primary key
  static final String DELETE_UNCLAIMED =
      "DELETE FROM receipt WHERE (account, name) IN"
          + " (SELECT account, name FROM receipt WHERE unclaimed < ? ORDER BY unclaimed LIMIT ?)";

  // ---- moving to another store

  // primary key
  static final String CARRY_EVENTS =
      "SELECT" + EVENT + "FROM inbound WHERE id > ? ORDER BY id LIMIT ?";

  // inbound_cursor (a row per account)
  static final String CARRY_CURSORS = "SELECT account, cursor FROM inbound_cursor";

  // receipt's primary key, message's primary key
  static final String CARRY_WORDS =
      "SELECT"
          + WORD
          + "FROM receipt r LEFT JOIN message m ON m.id = r.message"
          + " WHERE (r.account, r.name) > (?, ?) ORDER BY r.account, r.name LIMIT ?";

  // message_uid
  static final String ADD_CARRIED_WORD =
      "INSERT INTO receipt (account, name, receipt, message, part, state, at, detail, unclaimed)"
          + " VALUES (?, ?, ?, (SELECT id FROM message WHERE uid = ?), ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
}
