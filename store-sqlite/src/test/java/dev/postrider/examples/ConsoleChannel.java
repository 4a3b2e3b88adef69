package dev.postrider.examples;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.VerbatimDialect;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import dev.postrider.inbound.InboundMessage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A whole channel: it "sends" to a list, and hears what people type. Named in META-INF/services, so
 * that it is found by itself.
 */
public final class ConsoleChannel implements Channel {
  static final List<String> LINES = new CopyOnWriteArrayList<>();

  @Override
  public String name() {
    return "console";
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return Capabilities.of(
            new VerbatimDialect(), // text as it is, and files as links
            TextLimit.of(80, TextLimit.Unit.CODE_POINTS))
        .paced(Pace.perSecond(100).burst(10), chat -> Pace.UNLIMITED, 4); // chats at the same time
  }

  /** What people type, {@code ann: hello} at a time. A real one checks who sends it first. */
  @Override
  public Hook hook(AccountConfig account) {
    return request -> {
      String[] line = request.text().split(": ", 2);
      return Hook.Answer.Genuine.of(
          List.of(
              new InboundMessage(
                  "typed-" + request.receivedAt(), // told twice, it is stored once
                  InboundMessage.Kind.MESSAGE,
                  line[0],
                  InboundMessage.ChatKind.DM,
                  new InboundMessage.Sender(line[0], null),
                  line[1],
                  List.of(),
                  null,
                  null,
                  null,
                  request.receivedAt(),
                  Map.of("line", request.text()))));
    };
  }

  @Override
  public Link open(AccountContext context) {
    String prefix = context.config().text("prefix", "");
    return new Link() {
      @Override
      public Outcome send(Dispatch dispatch) {
        if (dispatch.to().equals("nobody")) {
          return new Outcome.Rejected(Outcome.Blame.TARGET, "there is nobody of that name");
        }
        LINES.add(prefix + dispatch.to() + ": " + dispatch.text());
        return Outcome.delivered("line-" + LINES.size());
      }
    };
  }
}
