package dev.postrider.jdbc.export;

import dev.postrider.jdbc.export.SqlExport.Insert;
import dev.postrider.store.StoreExport.Kind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A kind of line: where it is stored, and its fields. The same for every store on a database.
 *
 * @param key the columns whose values order the lines, and differ
 * @param within the kind by whose keys lines come first; null: none
 * @param called the fields that tell people what a line is about
 * @param page how many rows are read at a time
 * @param fields in the order in which they are written
 * @param items what belongs to a row besides; null: nothing
 */
record ExportSection(
    String table,
    List<String> key,
    @Nullable Kind within,
    List<String> called,
    int page,
    List<ExportField> fields,
    @Nullable Items items) {

  /** What a table has besides for each row of a section, in the order of its column n. */
  record Items(String field, String table, String parent, List<ExportField> fields) {}

  /**
   * A line for each kind, with its table and key; then its fields. {@link ExportField} reads those.
   */
  private static final String SECTIONS =
      """
      account: account by name;
          name paused pausedSince:instant broken brokenSince:instant
      file: blob by hash; called hash;
          hash size:number type keepUntil=look_at:instant
      upload: upload by account hash variant;
          account hash variant handle expiresAt:instant
      message: message by uid; large;
          id=uid:id account:account chat status:status place:number head:flag scheduled:flag
          priority:priority attempts:number reservation:number late:flag possibleDuplicate:flag
          createdAt=created:instant dueAt=due:instant expiresAt=expires:instant
          triedAt=tried:instant endedAt=ended:instant progress:json error reason
          contentHash:hash replayOf:id replayedAs:id unfollowed:flag content:content plan:plan
      lanePause: paused_lane by chat; within account;
          account:account chat reason since:instant
      budget: budget by scope;
          scope revision:number until:instant state
      chatAlias: chat_alias by former; within account;
          account:account former chat
      toldAlias: told_alias by former; within account;
          account:account former chat
      memory: memory by chat key; within account; called account key;
          account:account chat key value:memory expiresAt:instant
      cursor: inbound_cursor by; within account;
          account:account cursor
      session: session by name;
          id=name account:account chat threadId=thread waiting:zero lastAt=last:instant
          pausedBecause=paused pausedSince=since:instant movedTo=moved_to
      inbound: inbound by uid; large;
          id=uid:id account:account session status:inboundStatus attempts:number deaths:number
          receivedAt=received:instant dueAt=due:instant lease:id handedOutAt=handed_out:instant
          endedAt=ended:instant error turn:turn turnEndedAt=turn_ended:instant delivered:number
          lost:number replayOf:id replayedAs:id content:arrival
      inboundFile: inbound_file by uid n; called inbound;
          inbound=uid:id n:number state:number attempts:number nextAt=next_at:instant hash error
      sessionMessage: mirrored by session at uid; large;
          session at:instant id=uid:id account:account chat content:content receipts:json
      receipt: receipt by name; within account; called account receipt;
          account:account name:fingerprint receipt message:messageRow part:number state:state
          at:instant detail permanent:flag unclaimedSince=unclaimed:instant
      reminder: reminder by uid;
          id=uid:id name account:account nextFire:instant targets:number version:number
          createdAt=created:instant updatedAt=updated:instant document:document
      reminderTarget: reminder_target by n; within reminder; called reminder;
          reminder:parent n:number account:account chat content:target
      run: run by uid;
          id=uid:id reminder:id name instant:instant account:account status:runStatus reason
          until:instant total:number summary createdAt=created:instant startedAt=started:instant
          endedAt=ended:instant resumedAt=resumed:instant version:number document:document
      runTarget: run_target by n; within run; called run;
          run:parent n:number account:account chat content:target status:targetStatus step:number
          tries:number messages:messages error beganAt=began:instant endedAt=ended:instant
      sentOnDay: run_day by day; within account;
          account:account day:day sent:number
      minute: minute by at;
          at:instant node:imported inWaiting:max inUnderWay:max inDead:max inTaken:sum inDone:sum
          inErrors:sum inLost:sum outWaiting:max outUnderWay:max outDead:max outTaken:sum
          outDone:sum outErrors:sum outLost:sum
      audit: audit by at id;
          at:instant id:id operator action target outcome
      importReceipt: import_receipt by name; called name;
          name size:number hash at:instant
      restore: restore by at;
          at:instant takenAt=taken:instant finishedAt=finished:instant messages:number
          scheduled:number inbound:number runs:number
      """;

  private static final Items HISTORY =
      new Items(
          "history",
          "history",
          "message",
          ExportField.parse(
              "history",
              "at:instant attempt:number part:number outcome error nextAt=next:instant"));

  private static final Items NOTES =
      new Items(
          "notes",
          "inbound_note",
          "inbound",
          ExportField.parse("inbound_note", "at:instant attempt:number error nextAt=next:instant"));

  private static final Pattern SECTION =
      Pattern.compile(
          "^(\\w+): (\\w+) by([^;]*);(?: within (\\w+);)?(?: called ([^;]+);)?( large;)?"
              + "((?:\\n    .*)+)",
          Pattern.MULTILINE);

  private static final int ROWS = 1_000;
  private static final int LARGE_ROWS = 50; // of what may be a megabyte each

  private static final Map<Kind, ExportSection> ALL = new EnumMap<>(Kind.class);

  static {
    SECTION.matcher(SECTIONS).results().forEach(one -> ALL.put(kind(one.group(1)), read(one)));
  }

  static ExportSection of(Kind kind) {
    return Objects.requireNonNull(ALL.get(kind));
  }

  private static Kind kind(String label) {
    return Stream.of(Kind.values())
        .filter(kind -> kind.label().equals(label))
        .findFirst()
        .orElseThrow();
  }

  private static ExportSection read(MatchResult section) {
    String table = section.group(2);
    String within = section.group(4);
    String called = section.group(5);
    return new ExportSection(
        table,
        words(section.group(3)),
        within == null ? null : kind(within),
        words(called == null ? "id" : called),
        section.group(6) == null ? ROWS : LARGE_ROWS,
        ExportField.parse(table, section.group(7)),
        switch (kind(section.group(1))) {
          case MESSAGE -> HISTORY;
          case INBOUND -> NOTES;
          default -> null;
        });
  }

  private static List<String> words(String text) {
    return Stream.of(text.split(" ")).filter(word -> !word.isEmpty()).toList();
  }

  boolean isNumber(String column) {
    return List.of("at", "n", "day").contains(column);
  }

  boolean isId(String column) {
    return column.equals("uid") || column.equals("id") || table.equals("receipt");
  }

  /** What a row that is added depends on. */
  static String from(Kind kind) {
    return switch (kind) {
      case REMINDER_TARGET -> "FROM reminder p WHERE p.uid = :reminder AND p.targets > :n";
      case RUN_TARGET -> "FROM run p WHERE p.uid = :run AND p.total > :n";
      case MINUTE -> "WHERE NOT EXISTS (SELECT 1 FROM minute m WHERE m.at = :at)";
      default -> "WHERE true";
    };
  }

  /** What follows if a row was added. */
  static List<Insert> then(Kind kind) {
    return switch (kind) {
      case MESSAGE ->
          List.of(Insert.each("files", FILE_OF_MESSAGE), Insert.once(FOLLOW_OF_MESSAGE));
      case INBOUND -> List.of(Insert.once(WAITING_IN_SESSION));
      case RUN -> List.of(Insert.once(ACCOUNT_OF_RUN.formatted(":uid AND p.total = 0")));
      case RUN_TARGET -> List.of(Insert.once(ACCOUNT_OF_RUN.formatted(":run")));
      case RECEIPT -> List.of(Insert.once(STATUS_OF_RECEIPTS), Insert.once(REPORT_OF_RUN));
      default -> List.of();
    };
  }

  private static final String STATUS_OF_RECEIPTS =
      """
      INSERT INTO message_receipt (message, number, state)
      SELECT r.message, min(r.account),
        CASE WHEN max(r.state) = 3 THEN 3 ELSE min(coalesce(r.state, 0)) END
      FROM receipt r
      WHERE r.message = (SELECT m.id FROM message m WHERE m.uid = :message)
      GROUP BY r.message
      ON CONFLICT (message)
      DO UPDATE SET state = excluded.state
      """;

  /** Its run takes in what was told, again if it had. */
  private static final String REPORT_OF_RUN =
      """
      INSERT INTO run_report (message, account, changes)
      SELECT m.id, m.account, 1
      FROM message m
      WHERE m.uid = :message AND coalesce(m.run, '') <> ''
      ON CONFLICT DO NOTHING
      """;

  private static final String FILE_OF_MESSAGE =
      """
      INSERT INTO blob_use (hash, message)
      SELECT :hash, m.id
      FROM message m
      WHERE m.uid = :uid AND EXISTS (SELECT 1 FROM blob b WHERE b.hash = :hash)
      """;

  private static final String FOLLOW_OF_MESSAGE =
      """
      INSERT INTO follow (message, turn)
      SELECT m.id, :turn_id
      FROM message m
      WHERE m.uid = :uid AND :unfollowed
      """;

  private static final String WAITING_IN_SESSION =
      """
      UPDATE session
      SET waiting = waiting + 1
      WHERE name = :session AND :active
      """;

  /** A run belongs to the accounts of its targets; one without any, to that of its reminder. */
  private static final String ACCOUNT_OF_RUN =
      """
      INSERT INTO run_account (run, account, active)
      SELECT p.id, :account, p.status < 3
      FROM run p
      WHERE p.uid = %s
      ON CONFLICT DO NOTHING
      """;
}
