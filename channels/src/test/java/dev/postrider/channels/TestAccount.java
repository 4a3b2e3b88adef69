package dev.postrider.channels;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Dispatch;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Fix;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** An account as the engine would hold it, and parts to send on it. */
public record TestAccount(
    AccountConfig config, StillTime scheduler, List<String> readiness, TestMemory memory)
    implements AccountContext {
  private static final Ids IDS = new Ids(java.time.InstantSource.system(), new Random(1));

  public static TestAccount of(AccountConfig config) {
    return new TestAccount(config, new StillTime(), new ArrayList<>());
  }

  public TestAccount(AccountConfig config, StillTime scheduler, List<String> readiness) {
    this(config, scheduler, readiness, new TestMemory(scheduler));
  }

  @Override
  public void ready() {
    readiness.add("ready");
  }

  @Override
  public void notReady(String reason) {
    readiness.add("not ready: " + reason);
  }

  public Dispatch part(String chat, String text) {
    return part(Message.to(config.id(), chat).text(text));
  }

  public Dispatch part(Message.Builder message, Fix... fixes) {
    Message built = message.build();
    return dispatch(built, new Part(built.text(), null, List.of(), List.of()), fixes);
  }

  public Dispatch markup(Message.Builder message, String markup, Fix... fixes) {
    Message built = message.build();
    return dispatch(built, Part.markup(markup, String.valueOf(built.text())), fixes);
  }

  private static Dispatch dispatch(Message message, Part part, Fix... fixes) {
    MessageId id = IDS.nextMessageId();
    return new Dispatch(
        id,
        message,
        new Plan(id, List.of(part)),
        0,
        new PartState(PartState.State.PENDING, null, List.of(fixes), null),
        List.of());
  }
}
