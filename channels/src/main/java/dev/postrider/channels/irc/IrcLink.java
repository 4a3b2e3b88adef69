package dev.postrider.channels.irc;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.irc.IrcConnection.Command;
import dev.postrider.channels.irc.IrcConnection.Reply;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Fix;
import dev.postrider.message.Receipt;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One account's connection to its network, which sends and listens. There is one at a time: {@link
 * #listen} opens it, and the engine calls that again when it has ended. Thread-safe.
 */
final class IrcLink implements Link {
  private static final Logger log = LoggerFactory.getLogger(IrcLink.class);

  /** How many of the time-outs for one answer the whole login may take. */
  private static final int LOGIN = 4;

  private final IrcSettings settings;
  private final AccountContext context;
  private final Scheduler time;
  private final Secrets secrets;
  private final FloodPace flood;
  private final IrcRequest request;

  /** Channels to be in, each with its key; those that were written to among them. */
  private final Map<String, String> wanted = new LinkedHashMap<>(); // guarded by itself

  /** Two messages to two ranks of a channel must not join it twice. */
  private final ReentrantLock joining = new ReentrantLock();

  private boolean closed; // guarded by this
  private @Nullable IrcConnection connection; // guarded by this
  private volatile @Nullable IrcSession current;

  IrcLink(IrcSettings settings, AccountContext context) {
    this.settings = settings;
    this.context = context;
    time = context.scheduler();
    secrets = settings.secrets();
    flood = new FloodPace(time);
    request = new IrcRequest(settings);
    wanted.putAll(settings.channels());
    context.notReady("connecting to " + settings.server());
  }

  // ---- listening

  @Override
  public boolean listens() {
    return true;
  }

  @Override
  public void listen(InboundSink inlet) throws Exception {
    String cause = "the connection to " + settings.server() + " is closed";
    try {
      IrcSession session = new IrcSession(connect(), flood, settings.nick());
      try {
        hold(session, inlet);
      } catch (IOException e) {
        String farewell = session.farewell();
        throw farewell == null || e instanceof ListeningRefused ? e : new IOException(farewell);
      }
    } catch (ListeningRefused e) {
      cause = secrets.scrub(String.valueOf(e.getMessage()));
      throw new ListeningRefused(cause);
    } catch (IOException e) {
      cause = secrets.scrub(String.valueOf(e.getMessage()));
      throw new IOException(cause, e);
    } finally {
      current = null;
      context.notReady(cause);
      disconnect(cause);
    }
  }

  private IrcConnection connect() throws IOException {
    IrcConnection opened = IrcConnection.open(settings, time);
    synchronized (this) {
      if (!closed) {
        connection = opened;
        return opened;
      }
    }
    opened.close();
    throw new IOException("the account is closed");
  }

  private synchronized void disconnect(String cause) {
    if (connection != null) {
      connection.end(cause);
      connection = null;
    }
  }

  /** Enters the network and hears what is said until the connection ends. */
  private void hold(IrcSession session, InboundSink inlet) throws IOException {
    Scheduler.Timer limit =
        time.after(settings.timeout().multipliedBy(LOGIN), session.connection()::close);
    new IrcLogin(settings, session).enter();
    limit.cancel();
    request.require(session);
    NickRecovery nick = new NickRecovery(settings, session, time);
    nick.begin();
    joinAgain(session);
    current = session;
    context.ready();
    inlet.connected();
    IrcEvents events = new IrcEvents(session, time.instant());
    while (session.farewell() == null) {
      IrcMessage line = session.connection().next(settings.idle());
      List<InboundMessage> arrivals =
          session.hear(line).stream().map(events::of).filter(Objects::nonNull).toList();
      if (!arrivals.isEmpty()) {
        inlet.take(arrivals, List.of(), null);
      }
      nick.after(line);
      noteRefusedJoin(line);
    }
    throw new IOException("the server has said good-bye");
  }

  private void joinAgain(IrcSession session) throws IOException {
    List<String> lines;
    synchronized (wanted) {
      lines = request.joins(wanted);
    }
    for (String line : lines) {
      session.connection().say(line);
    }
  }

  private void noteRefusedJoin(IrcMessage line) {
    if (line.isRefusal()
        && settings.channels().containsKey(CaseMapping.ASCII.fold(line.param(1)))) {
      log.warn("{}: not in {}: {}", settings, line.param(1), line.words());
    }
  }

  // ---- sending

  @Override
  public Outcome send(Dispatch part) {
    IrcSession session = current;
    if (session == null) {
      return new Outcome.Unreachable("not connected to " + settings.server());
    }
    if (part.replyToId() != null && !session.has("message-tags")) {
      return new Outcome.Repairable(new Fix.DropReply(), "the server knows no replies");
    }
    IrcAddress to = IrcAddress.parse(part.to());
    List<Command> commands = request.commands(part, to, session);
    if (commands.isEmpty()) {
      return new Outcome.Rejected(Blame.MESSAGE, "it has no text that could be said in a line");
    }
    Duration wait = flood.take();
    if (wait.isPositive()) {
      return new Outcome.Throttled(
          ThrottleScope.ACCOUNT, wait, "the server has complained of too many lines");
    }
    Outcome outside = to.isChannel() ? join(session, to.name()) : null;
    return outside == null ? say(session, part, to, commands) : outside;
  }

  /** As a rule there is one command. Where there are more, others may see only the first ones. */
  private Outcome say(IrcSession session, Dispatch part, IrcAddress to, List<Command> commands) {
    List<String> ids = new ArrayList<>();
    Outcome last = new Outcome.NotSent("nothing was said");
    for (Command command : commands) {
      last = outcome(session.connection().ask(command, session.labels()), session, part, to);
      if (!(last instanceof Outcome.Delivered(Receipt receipt, _, _, _))) {
        return ids.isEmpty() ? last : new Outcome.Hold("only its beginning was said: " + last);
      }
      ids.add(receipt.id());
    }
    return commands.size() == 1 || !(last instanceof Outcome.Delivered all)
        ? last
        : new Outcome.Delivered(
            new Receipt(String.join(",", ids), all.receipt().accepted()),
            Map.of(),
            List.of(),
            all.note());
  }

  private Outcome outcome(Reply reply, IrcSession session, Dispatch part, IrcAddress to) {
    Outcome outcome =
        switch (reply) {
          case Reply.Unsent(String cause) -> new Outcome.Unreachable(cause);
          case Reply.Open(String cause) -> new Outcome.Unknown(cause);
          case Reply.Said(List<IrcMessage> said) ->
              IrcVerdict.message(said, session, to.toString(), part.key());
        };
    if (outcome instanceof Outcome.Delivered) {
      flood.taken();
    } else if (outcome instanceof Outcome.Throttled) {
      flood.warned();
    } else if (outcome instanceof Outcome.NotSent && to.isChannel()) {
      session.left(to.name()); // 442: the next try joins again
    }
    return outcome;
  }

  /** Enters a channel that we are not in; what keeps us out, or null if nothing does. */
  private @Nullable Outcome join(IrcSession session, String channel) {
    joining.lock();
    try {
      if (session.isIn(channel)) {
        return null;
      }
      String key;
      synchronized (wanted) {
        key = wanted.getOrDefault(channel, "");
      }
      Command command = Command.of(request.join(channel, key));
      return switch (session.connection().ask(command, session.labels())) {
        // Nobody has seen the message yet.
        case Reply.Unsent(String cause) -> new Outcome.Unreachable(cause);
        case Reply.Open(String cause) -> new Outcome.NotSent(cause);
        case Reply.Said(List<IrcMessage> said) -> entered(said, session, channel);
      };
    } finally {
      joining.unlock();
    }
  }

  private @Nullable Outcome entered(List<IrcMessage> said, IrcSession session, String channel) {
    if (session.isIn(channel)) {
      synchronized (wanted) {
        wanted.putIfAbsent(channel, "");
      }
      return null;
    }
    Outcome refused = IrcVerdict.refusal(said, session, channel);
    return refused == null
        ? new Outcome.Rejected(Blame.TARGET, "the server does not let us into " + channel)
        : refused;
  }

  // ---- asking

  /** Tells of the connection there is; without one, by a short one that nobody sees. */
  @Override
  public Probe probe() {
    IrcSession session = current;
    if (session != null) {
      return session.connection().ask(Command.of("PING :here"), session.labels())
              instanceof Reply.Said
          ? new Probe.Healthy(session.nick() + " at " + settings.host())
          : new Probe.Unreachable("the server does not answer");
    }
    try (IrcConnection opened = IrcConnection.open(settings, time)) {
      new IrcLogin(settings, new IrcSession(opened, flood, settings.nick())).check();
      return new Probe.Healthy(settings.toString());
    } catch (ListeningRefused e) {
      return new Probe.Broken(secrets.scrub(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      return new Probe.Unreachable(secrets.scrub(String.valueOf(e.getMessage())));
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    disconnect("the account is closed");
  }
}
