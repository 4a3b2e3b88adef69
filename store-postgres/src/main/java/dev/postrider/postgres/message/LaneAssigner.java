package dev.postrider.postgres.message;

import dev.postrider.inbound.InboundStatus;
import dev.postrider.jdbc.inbound.TurnEnds;
import dev.postrider.jdbc.message.IncomingBytes;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Ordering;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.batch.BatchSideEffects;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.InboundSql;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.postgres.sql.TurnSql;
import dev.postrider.postgres.write.WriteOp;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.StoredMessage;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages their place: new ones when they are accepted, arrivals when they are taken in,
 * scheduled ones when their time has come.
 *
 * <p>Only the owner of an account gives places. A message that is accepted by another node, or into
 * a lane where earlier ones still wait for their place, is stored as an arrival: it stands outside
 * the lane, and the owner takes arrivals in by the order of their rows.
 */
public final class LaneAssigner {
  private final JdbcSession session;
  private final BatchColumns columns;
  private final Accounts accounts;
  private final BatchSideEffects sideEffects;
  private final Map<Integer, Long> fences;

  public LaneAssigner(
      JdbcSession session,
      BatchColumns columns,
      Accounts accounts,
      BatchSideEffects sideEffects,
      Map<Integer, Long> fences) {
    this.session = session;
    this.columns = columns;
    this.accounts = accounts;
    this.sideEffects = sideEffects;
    this.fences = fences;
  }

  /** Whether the lease is the one in force. */
  public boolean isCurrent(Lease lease) throws SQLException {
    return Objects.equals(fences.get(accounts.idOrNew(lease.account())), lease.fence());
  }

  /** Whether this process owns the account: it holds the lease that is in force. */
  public boolean isOwned(@Nullable String account) throws SQLException {
    Lease held = account == null ? null : accounts.held(account);
    return held != null && isCurrent(held);
  }

  // ---- accepting

  /** A message with its place. */
  private static final class Placed {
    final WriteOp.Accept op;
    final Message message;
    final int account;
    final @Nullable Long seq;
    final int head;
    final boolean arriving;
    final @Nullable Reservation reservation;
    final boolean raised;
    Priority priority;
    long row;

    /**
     * @param message as it is stored: for the name that its chat has now
     */
    Placed(
        WriteOp.Accept op,
        Message message,
        int account,
        @Nullable Long seq,
        int head,
        boolean arriving,
        @Nullable Reservation reservation,
        boolean raised) {
      this.op = op;
      this.message = message;
      this.account = account;
      this.seq = seq;
      this.head = head;
      this.arriving = arriving;
      this.reservation = reservation;
      this.raised = raised;
      this.priority = op.entry.message().priority();
    }

    Message message() {
      return message;
    }

    boolean reserved() {
      return reservation != null;
    }

    int flags() {
      return (message().ordering() == Ordering.NONE ? Values.UNORDERED : 0)
          | (op.entry.possibleDuplicate() ? Values.POSSIBLE_DUPLICATE : 0)
          | (op.entry.scheduled() && message().ordering() == Ordering.FIFO ? Values.SCHEDULED : 0);
    }
  }

  /** New messages, and what the database knows of them: asked for before it is needed. */
  public final class Newcomers {
    private final List<WriteOp.Accept> ops;
    private final List<WriteOp.Accept> keyed;
    private final JdbcSession.Pending<WriteOp.Accept> known;
    private final JdbcSession.Pending<Long> rows;
    private LaneTails.@Nullable Asked lanes;

    private Newcomers(List<WriteOp.Accept> ops) throws SQLException {
      this.ops = ops;
      keyed = ops.stream().filter(op -> op.entry.contentHash() != null).toList();
      known = askForKeys(keyed);
      rows = session.later(MessageSql.NEXT_IDS, row -> row.getLong(1), ops.size());
    }

    /** Asks for their lanes, which nothing else changes from now on. */
    public void askForLanes() throws SQLException {
      List<LaneTails.Name> names = new ArrayList<>(ops.size());
      for (WriteOp.Accept op : ops) {
        names.add(lane(op.entry.message()));
      }
      lanes = LaneTails.ask(session, columns, names);
    }

    /** Answers those whose idempotency key is known, and gives the others. */
    private List<WriteOp.Accept> withoutDuplicates() throws SQLException {
      Set<WriteOp.Accept> answered = new HashSet<>(known.rows());
      return answered.isEmpty() ? ops : ops.stream().filter(op -> !answered.contains(op)).toList();
    }

    private LaneTails tails() throws SQLException {
      if (lanes == null) {
        throw new IllegalStateException("nobody has asked for the lanes");
      }
      return lanes.tails();
    }
  }

  /** Asks what is to be known of new messages, none of which has the key of another. */
  public Newcomers lookUp(List<WriteOp.Accept> ops) throws SQLException {
    return new Newcomers(ops);
  }

  public void accept(Newcomers newcomers) throws SQLException {
    List<WriteOp.Accept> fresh = withTheirMedia(inTheirTurns(newcomers.withoutDuplicates()));
    LaneTails lanes = newcomers.tails();
    List<Placed> placed = new ArrayList<>();
    Set<LaneTails.Name> raised = new LinkedHashSet<>();
    for (WriteOp.Accept op : fresh) {
      Placed one = place(op, lanes, placed, raised);
      if (one != null) {
        placed.add(one);
      }
    }
    raise(raised);
    insert(placed, newcomers.rows.rows());
  }

  private LaneTails.Name lane(Message message) throws SQLException {
    return new LaneTails.Name(accounts.idOrNew(message.account()), message.to());
  }

  private JdbcSession.Pending<WriteOp.Accept> askForKeys(List<WriteOp.Accept> keyed)
      throws SQLException {
    List<Integer> owners = new ArrayList<>(keyed.size());
    for (WriteOp.Accept op : keyed) {
      owners.add(accounts.idOrNew(op.entry.message().account()));
    }
    return session.later(
        MessageSql.BY_KEYS,
        row -> {
          WriteOp.Accept op = keyed.get((int) row.getLong(MessageSql.MESSAGE_WIDTH + 1) - 1);
          op.is(
              Rows.duplicate(row, accounts, MessageSql.MESSAGE_WIDTH + 2, op.entry.contentHash()));
          return op;
        },
        columns.ints(owners, id -> id),
        columns.texts(keyed, op -> op.entry.message().idempotencyKey()));
  }

  /** Answers those who name a turn that is not theirs, and gives the others. */
  private List<WriteOp.Accept> inTheirTurns(List<WriteOp.Accept> ops) throws SQLException {
    List<WriteOp.Accept> claims = ops.stream().filter(WriteOp.Accept::claimsTurn).toList();
    if (claims.isEmpty()) {
      return ops;
    }
    record Open(InboundStatus status, int attempts, @Nullable UUID lease) {}
    Map<UUID, Open> open = new HashMap<>();
    session.all(
        TurnSql.OPEN_TURNS,
        row ->
            open.put(
                row.getObject(1, UUID.class),
                new Open(
                    Values.inboundStatus(row.getInt(2)),
                    row.getInt(3),
                    row.getObject(4, UUID.class))),
        columns.uuids(claims, op -> Rows.turn(op.entry.message())));
    Set<WriteOp.Accept> lost = new HashSet<>();
    for (WriteOp.Accept op : claims) {
      UUID given = op.entry.message().leaseId();
      Open turn = open.get(Rows.turn(op.entry.message()));
      boolean allowed =
          turn == null
              ? given == null
              : TurnEnds.mayName(given, turn.status, turn.attempts, turn.lease);
      if (!allowed) {
        op.is(new AcceptResult.TurnLost());
        lost.add(op);
      }
    }
    return ops.stream().filter(op -> !lost.contains(op)).toList();
  }

  /** Answers those whose files are not all in custody, and gives the others. */
  private List<WriteOp.Accept> withTheirMedia(List<WriteOp.Accept> ops) throws SQLException {
    List<String> wanted = ops.stream().flatMap(op -> op.media.stream()).distinct().toList();
    if (wanted.isEmpty()) {
      return ops;
    }
    List<String> names = wanted.stream().filter(IncomingBytes::isName).toList();
    Set<String> held =
        new HashSet<>(
            session.all(
                MessageSql.HOLD_BLOBS,
                row -> row.getString(1),
                columns.texts(names, name -> name)));
    List<WriteOp.Accept> whole = new ArrayList<>(ops.size());
    for (WriteOp.Accept op : ops) {
      op.media.stream()
          .filter(hash -> !held.contains(hash))
          .findFirst()
          .ifPresentOrElse(
              missing -> op.is(new AcceptResult.MediaMissing(missing)), () -> whole.add(op));
    }
    return whole;
  }

  /** Finds a message's place; null if it was refused. */
  private @Nullable Placed place(
      WriteOp.Accept op, LaneTails lanes, List<Placed> before, Set<LaneTails.Name> raise)
      throws SQLException {
    NewMessage entry = op.entry;
    int account = accounts.idOrNew(entry.message().account());
    String chat = lanes.chat(account, entry.message().to());
    Message message = entry.message().withTo(chat);
    LaneTails.Lane lane = message.ordering() == Ordering.FIFO ? lanes.of(account, chat) : null;
    if (lane != null && op.bounded) {
      long depth = lane.depth(session, entry.maxLaneDepth());
      if (depth >= entry.maxLaneDepth()) {
        op.is(new AcceptResult.LaneFull(depth));
        return null;
      }
    }
    MessageId replayOf = entry.replayOf();
    if (replayOf != null
        && session.update(MessageSql.MARK_REPLAYED, entry.id().value(), replayOf.value()) == 0) {
      op.is(
          new AcceptResult.NotReplayable(
              "message " + replayOf + " is no dead letter, or was replayed already"));
      return null;
    }
    if (replayOf != null) {
      session.update(InboundSql.DELETE_RETRY_OF, replayOf.value());
    }
    LaneTails.Lane into = entry.scheduled() ? null : lane; // a scheduled one enters when it is due
    boolean owned = isOwned(message.account());
    if (!owned || (into != null && into.hasArrivals())) {
      if (owned) {
        sideEffects.ownArrival(message.account());
      } else {
        sideEffects.arrived(account);
      }
      return new Placed(op, message, account, null, LanePauses.BEHIND, true, null, false);
    }
    boolean first = into == null || into.isEmpty();
    boolean here = chat.equals(entry.message().to()); // or its permit is for another lane
    boolean waitsForTime = lane != null && entry.scheduled();
    int head =
        !first
            ? LanePauses.BEHIND
            : waitsForTime ? LanePauses.HEAD : lanes.of(account, chat).head();
    Reservation wished =
        head == LanePauses.HEAD && here && !entry.scheduled() ? entry.reservation() : null;
    Reservation reservation = wished != null && isCurrent(wished.lease()) ? wished : null;
    if (reservation != null) {
      sideEffects.spend(reservation.spent());
    }
    boolean raised =
        into != null && !first && message.priority() == Priority.LIVE && into.hasBulk();
    if (raised && into != null) {
      raise.add(into.name());
      into.raised();
      LaneTails.Name name = into.name();
      before.stream()
          .filter(one -> one.seq != null && lane(one).equals(name))
          .forEach(one -> one.priority = Priority.LIVE);
    }
    Long seq = into == null ? null : into.next(message.priority() == Priority.BULK);
    sideEffects.messageAdded(account);
    return new Placed(op, message, account, seq, head, false, reservation, raised);
  }

  private static LaneTails.Name lane(Placed placed) {
    return new LaneTails.Name(placed.account, placed.message().to());
  }

  void raise(Set<LaneTails.Name> lanes) throws SQLException {
    if (!lanes.isEmpty()) {
      List<LaneTails.Name> all = List.copyOf(lanes);
      session.updateLater(
          MessageSql.RAISE_LANES,
          columns.ints(all, LaneTails.Name::account),
          columns.texts(all, LaneTails.Name::chat));
    }
  }

  private void insert(List<Placed> placed, List<Long> rows) throws SQLException {
    if (placed.isEmpty()) {
      return;
    }
    for (int i = 0; i < placed.size(); i++) {
      placed.get(i).row = rows.get(i);
    }
    addMessages(placed);
    session.updateLater(
        MessageSql.ADD_TO_QUEUE,
        columns.longs(placed, one -> one.row),
        columns.ints(placed, one -> one.account),
        columns.texts(placed, one -> one.message().to()),
        columns.nullableLongs(placed, one -> one.seq),
        columns.ints(placed, one -> one.head),
        columns.flags(placed, one -> one.arriving),
        columns.ints(placed, one -> Values.status(one.reserved() ? Status.SENDING : Status.QUEUED)),
        columns.ints(placed, one -> Values.priority(one.priority)),
        columns.ints(placed, one -> one.reserved() ? 1 : 0),
        columns.ints(placed, Placed::flags),
        columns.longs(placed, one -> Values.micros(one.op.entry.dueAt())),
        columns.longs(placed, one -> Values.micros(one.op.entry.expiresAt())),
        columns.nullableLongs(
            placed, one -> one.reservation == null ? null : Values.micros(one.reservation.at())),
        columns.bytes(placed, one -> one.op.progress));
    use(placed);
    follow(placed);
    placed.forEach(one -> one.op.is(stored(one)));
  }

  private void addMessages(List<Placed> placed) throws SQLException {
    session.updateLater(
        MessageSql.ADD_MESSAGES,
        columns.longs(placed, one -> one.row),
        columns.uuids(placed, one -> one.op.entry.id().value()),
        columns.ints(placed, one -> one.account),
        columns.texts(placed, one -> one.message().to()),
        columns.longs(placed, one -> Values.micros(one.op.entry.createdAt())),
        columns.longs(placed, one -> Values.micros(one.op.entry.expiresAt())),
        columns.texts(placed, one -> one.message().idempotencyKey()),
        columns.bytes(placed, one -> one.op.hash),
        columns.texts(placed, one -> one.message().turnId()),
        columns.texts(placed, one -> one.message().sessionId()),
        columns.texts(placed, one -> one.message().runId()),
        columns.uuids(placed, one -> uuid(one.op.entry.replayOf())),
        columns.bytes(placed, one -> one.op.content),
        columns.bytes(placed, one -> one.op.plan));
  }

  private void use(List<Placed> placed) throws SQLException {
    record Use(String hash, long row) {}
    List<Use> uses =
        placed.stream()
            .flatMap(one -> one.op.media.stream().map(hash -> new Use(hash, one.row)))
            .toList();
    if (!uses.isEmpty()) {
      session.updateLater(
          MessageSql.ADD_USES, columns.texts(uses, Use::hash), columns.longs(uses, Use::row));
    }
  }

  private void follow(List<Placed> placed) throws SQLException {
    List<Placed> followed = placed.stream().filter(one -> one.message().followed()).toList();
    if (!followed.isEmpty()) {
      session.updateLater(
          TurnSql.ADD_FOLLOWS,
          columns.longs(followed, one -> one.row),
          columns.uuids(followed, one -> Rows.turn(one.message())));
    }
  }

  private static @Nullable UUID uuid(@Nullable MessageId id) {
    return id == null ? null : id.value();
  }

  private static AcceptResult stored(Placed placed) {
    NewMessage entry = placed.op.entry;
    Message message = placed.message();
    int count = placed.reserved() ? 1 : 0;
    StoredMessage stored =
        new StoredMessage(
            placed.row,
            entry.id(),
            message.kept(),
            entry.plan(),
            placed.reserved() ? Status.SENDING : Status.QUEUED,
            count,
            count,
            entry.createdAt(),
            entry.dueAt(),
            entry.expiresAt(),
            placed.reservation == null ? null : placed.reservation.at(),
            null,
            entry.progress(),
            null,
            null,
            false,
            entry.possibleDuplicate(),
            entry.replayOf(),
            null,
            null);
    Head head =
        placed.head != LanePauses.HEAD || placed.reserved()
            ? null
            : new Head(
                placed.row,
                message.account(),
                message.to(),
                placed.priority,
                entry.dueAt(),
                message.ordering() == Ordering.FIFO,
                (placed.flags() & Values.SCHEDULED) != 0);
    return new AcceptResult.Stored(stored, head, placed.reserved(), placed.raised);
  }

  // ---- taking in

  /** A message in the queue that is to get its place. */
  private record Candidate(long row, int account, String chat, int priority, int flags, long due) {
    LaneTails.Name lane() {
      return new LaneTails.Name(account, chat);
    }

    /** Outside the lane's order, or not due yet: it gets no place, only leave to be found. */
    boolean staysOutside(boolean entering) {
      return (flags & Values.UNORDERED) != 0 || waitsForTime(entering);
    }

    boolean waitsForTime(boolean entering) {
      return !entering && (flags & Values.SCHEDULED) != 0;
    }
  }

  private record Place(Candidate of, @Nullable Long seq, int head, int priority, long due) {}

  private static final JdbcSession.Mapper<Candidate> CANDIDATE =
      row ->
          new Candidate(
              row.getLong(1),
              row.getInt(2),
              row.getString(3),
              row.getInt(4),
              row.getInt(5),
              row.getLong(6));

  public void takeIn(List<WriteOp.TakeIn> ops) throws SQLException {
    for (WriteOp.TakeIn op : ops) {
      op.is(takeIn(accounts.idOrNew(op.lease.account()), op.at, op.limit));
    }
  }

  /** Gives arrivals of the account their place; tells how many. */
  int takeIn(int account, Instant at, int limit) throws SQLException {
    List<Candidate> arrivals = session.all(MessageSql.ARRIVALS, CANDIDATE, account, limit);
    while (renameMoved(account, arrivals)) {
      arrivals = session.all(MessageSql.ARRIVALS, CANDIDATE, account, limit);
    }
    takeIn(account, at, arrivals);
    return arrivals.size();
  }

  /** Gives all arrivals for this chat their place. */
  void takeIn(int account, String chat, Instant at) throws SQLException {
    takeIn(account, at, session.all(MessageSql.ARRIVALS_OF_LANE, CANDIDATE, account, chat));
  }

  private void takeIn(int account, Instant at, List<Candidate> arrivals) throws SQLException {
    place(arrivals, false, at);
    arrivals.forEach(_ -> sideEffects.messageAdded(account));
  }

  /** Arrivals for a chat that has moved meanwhile stand among those for its new name, by age. */
  private boolean renameMoved(int account, List<Candidate> arrivals) throws SQLException {
    List<String> chats = arrivals.stream().map(Candidate::chat).distinct().toList();
    return !chats.isEmpty()
        && session.update(
                MessageSql.RENAME_ARRIVALS, columns.texts(chats, chat -> chat), account, account)
            > 0;
  }

  public void enter(List<WriteOp.Enter> ops) throws SQLException {
    if (ops.isEmpty()) {
      return;
    }
    List<Integer> owners = new ArrayList<>(ops.size());
    for (WriteOp.Enter op : ops) {
      owners.add(accounts.idOrNew(op.account));
    }
    List<Candidate> entering =
        session.all(
            MessageSql.SCHEDULED,
            CANDIDATE,
            columns.longs(ops, op -> op.row),
            columns.ints(owners, id -> id),
            columns.longs(ops, op -> Values.micros(op.at)));
    Map<Long, Place> places = new HashMap<>();
    place(entering, true, ops.getFirst().at).forEach(one -> places.put(one.of.row, one));
    for (WriteOp.Enter op : ops) {
      Place place = places.get(op.row);
      op.is(
          place == null || place.head != LanePauses.HEAD
              ? null
              : new Head(
                  op.row,
                  op.account,
                  place.of.chat,
                  place.priority == 0 ? Priority.LIVE : Priority.BULK,
                  Values.instant(place.due),
                  true,
                  false));
    }
  }

  private List<Place> place(List<Candidate> candidates, boolean entering, Instant at)
      throws SQLException {
    if (candidates.isEmpty()) {
      return List.of();
    }
    LaneTails lanes =
        LaneTails.ask(session, columns, candidates.stream().map(Candidate::lane).toList()).tails();
    Set<LaneTails.Name> raised = new LinkedHashSet<>();
    Map<LaneTails.Name, List<Integer>> bulkPlaces = new HashMap<>();
    List<Place> places = new ArrayList<>(candidates.size());
    for (Candidate one : candidates) {
      LaneTails.Lane lane = lanes.of(one.account, one.chat);
      if (one.staysOutside(entering)) {
        int head = one.waitsForTime(entering) ? LanePauses.HEAD : lane.head();
        places.add(new Place(one, null, head, one.priority, one.due));
        continue;
      }
      boolean first = lane.isEmpty();
      if (!first && one.priority == 0 && lane.hasBulk()) {
        raised.add(lane.name());
        lane.raised();
        for (int earlier : bulkPlaces.getOrDefault(lane.name(), List.of())) {
          Place bulk = places.get(earlier);
          places.set(earlier, new Place(bulk.of, bulk.seq, bulk.head, 0, bulk.due));
        }
      }
      if (one.priority == 1) {
        bulkPlaces.computeIfAbsent(lane.name(), _ -> new ArrayList<>()).add(places.size());
      }
      // An arrival is due from when it arrives: the clock of the node that accepted it may differ.
      long due = entering ? one.due : Math.min(one.due, Values.micros(at));
      int head = first ? lane.head() : LanePauses.BEHIND;
      places.add(new Place(one, lane.next(one.priority == 1), head, one.priority, due));
    }
    raise(raised);
    session.updateLater(
        MessageSql.PLACE,
        columns.longs(places, place -> place.of.row),
        columns.nullableLongs(places, Place::seq),
        columns.ints(places, Place::head),
        columns.ints(
            places, place -> entering ? place.of.flags & ~Values.SCHEDULED : place.of.flags),
        columns.longs(places, Place::due),
        columns.ints(places, Place::priority));
    return places;
  }
}
