package dev.postrider.postgres;

/** The statements about what comes from platforms; see {@link Sql}. */
final class InboundSql {
  private InboundSql() {}

  private static final String EVENT = " id, uid, account, session, status, received, content ";

  private static final String WORD =
      " r.account, r.receipt, (SELECT m.uid FROM message m WHERE m.id = r.message), r.part, r.state, r.at, r.detail,"
          + " r.unclaimed, r.name, r.message ";

  private static final String NAMES = " unnest(?::int[], ?::uuid[]) AS n(account, name) ";

  // ---- events

  // The sequence is looked up once, not for every id.
  static final String NEXT_EVENTS =
      "SELECT nextval((SELECT pg_get_serial_sequence('inbound', 'id')::regclass)) FROM generate_series(1, ?)";

  // Waits for another node that is storing the same event.
  static final String ADD_EVENTS =
      "INSERT INTO inbound (id, uid, account, name, session, status, received, content) OVERRIDING SYSTEM VALUE"
          + " SELECT * FROM unnest(?::bigint[], ?::uuid[], ?::int[], ?::uuid[], ?::text[], ?::smallint[], ?::bigint[],"
          + " ?::bytea[]) ON CONFLICT (account, name) DO NOTHING RETURNING account, name";

  // inbound_name
  static final String KNOWN_EVENTS =
      "SELECT e.account, e.name, e.uid FROM"
          + NAMES
          + "JOIN inbound e ON e.name = ANY (ARRAY[n.name]) AND e.account + 0 = n.account";

  static final String SAVE_CURSORS =
      "INSERT INTO inbound_cursor (account, cursor) SELECT * FROM unnest(?::int[], ?::text[])"
          + " ON CONFLICT (account) DO UPDATE SET cursor = excluded.cursor";

  // inbound_cursor_pkey
  static final String CURSOR = "SELECT cursor FROM inbound_cursor WHERE account = ?";

  // inbound_uid
  static final String EVENT_BY_UID = "SELECT" + EVENT + "FROM inbound WHERE uid = ?";

  // inbound_pkey, backwards
  static final String LIST_EVENTS =
      "SELECT" + EVENT + "FROM inbound WHERE id < ? ORDER BY id DESC LIMIT ?";

  // inbound_session, backwards. A pair is compared, so that no other index has the order.
  static final String LIST_EVENTS_OF_SESSION =
      "SELECT"
          + EVENT
          + "FROM (SELECT ?::text AS wanted, ?::bigint AS before) AS p JOIN inbound"
          + " ON (session, id) < (wanted, before) AND session >= wanted ORDER BY session DESC, id DESC LIMIT ?";

  // inbound_account, backwards; likewise
  static final String LIST_EVENTS_OF_ACCOUNT =
      "SELECT"
          + EVENT
          + "FROM (SELECT ?::int AS wanted, ?::bigint AS before) AS p JOIN inbound"
          + " ON (account, id) < (wanted, before) AND account >= wanted ORDER BY account DESC, id DESC LIMIT ?";

  // inbound_received. Two nodes pass each other by.
  static final String DELETE_EVENTS =
      "DELETE FROM inbound WHERE ctid = ANY (ARRAY(SELECT ctid FROM inbound WHERE received < ?"
          + " ORDER BY received LIMIT ? FOR UPDATE SKIP LOCKED))";

  // ---- receipts

  // Waits for another node that is storing the same receipt.
  static final String ADD_WORDS =
      "INSERT INTO receipt (account, name, receipt, message, part, state, at, detail, unclaimed)"
          + " SELECT * FROM unnest(?::int[], ?::uuid[], ?::text[], ?::bigint[], ?::int[], ?::smallint[], ?::bigint[],"
          + " ?::text[], ?::bigint[]) ON CONFLICT DO NOTHING RETURNING account, name";

  // receipt_pkey, message_pkey. In the order of the names.
  static final String LOCK_WORDS =
      "SELECT"
          + WORD
          + "FROM"
          + NAMES
          + "CROSS JOIN LATERAL (SELECT * FROM receipt x WHERE x.account = n.account AND x.name = n.name FOR UPDATE) r";

  // receipt_pkey
  static final String SAVE_WORDS =
      "UPDATE receipt r SET message = n.message, part = n.part, state = n.state, at = n.at, detail = n.detail,"
          + " unclaimed = n.unclaimed FROM unnest(?::int[], ?::uuid[], ?::bigint[], ?::int[], ?::smallint[],"
          + " ?::bigint[], ?::text[], ?::bigint[])"
          + " AS n(account, name, message, part, state, at, detail, unclaimed)"
          + " WHERE r.account = ANY (ARRAY[n.account]) AND r.name = ANY (ARRAY[n.name])";

  // message_uid, receipt_message
  static final String RECEIPTS =
      "SELECT r.part, r.receipt, r.state, r.at, r.detail FROM message m"
          + " CROSS JOIN LATERAL (SELECT * FROM receipt x WHERE x.message = m.id OFFSET 0) r"
          + " WHERE m.uid = ANY (ARRAY[?::uuid]) ORDER BY r.part";

  // receipt_unclaimed. Two nodes pass each other by.
  static final String DELETE_UNCLAIMED =
      "DELETE FROM receipt WHERE ctid = ANY (ARRAY(SELECT ctid FROM receipt WHERE unclaimed < ?"
          + " ORDER BY unclaimed LIMIT ? FOR UPDATE SKIP LOCKED))";

  // ---- moving to another store

  // inbound_pkey
  static final String CARRY_EVENTS =
      "SELECT" + EVENT + "FROM inbound WHERE id > ? ORDER BY id LIMIT ?";

  // inbound_cursor (a row per account)
  static final String CARRY_CURSORS = "SELECT account, cursor FROM inbound_cursor";

  // receipt_pkey, message_pkey
  static final String CARRY_WORDS =
      "SELECT"
          + WORD
          + "FROM receipt r WHERE (r.account, r.name) > (?, ?::uuid) ORDER BY r.account, r.name LIMIT ?";

  // receipt_pkey, message_pkey
  static final String CARRY_THESE_WORDS =
      "SELECT"
          + WORD
          + "FROM"
          + NAMES
          + "CROSS JOIN LATERAL (SELECT * FROM receipt x WHERE x.account = n.account AND x.name = n.name OFFSET 0) r";

  // message_uid
  static final String CARRY_WORDS_IN =
      "INSERT INTO receipt (account, name, receipt, message, part, state, at, detail, unclaimed)"
          + " SELECT w.account, w.name, w.receipt, (SELECT m.id FROM message m WHERE m.uid = w.message), w.part, w.state,"
          + " w.at, w.detail, w.unclaimed FROM unnest(?::int[], ?::uuid[], ?::text[], ?::uuid[], ?::int[],"
          + " ?::smallint[], ?::bigint[], ?::text[], ?::bigint[])"
          + " AS w(account, name, receipt, message, part, state, at, detail, unclaimed) ON CONFLICT DO NOTHING";
}
