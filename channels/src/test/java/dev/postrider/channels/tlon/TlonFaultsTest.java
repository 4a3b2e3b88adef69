package dev.postrider.channels.tlon;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.HandTime;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A request is only taken; what became of it is told on the stream, which stands meanwhile. */
class TlonFaultsTest extends FaultMatrix {
  private static final String ANN = "~ravmel-ropdyl";

  private final HandTime time = new HandTime();
  private volatile boolean told = true; // what becomes of the part

  @Override
  protected Channel channel() {
    return new TlonChannel();
  }

  @Override
  protected AccountConfig account(String baseUrl) {
    return AccountConfig.of("ship", "tlon").set("baseUrl", baseUrl).set("code", FakeUrbit.CODE);
  }

  @Override
  protected Link open(TestAccount account) throws Exception {
    new FakeUrbit(platform);
    TlonRig rig = new TlonRig(account.config(), null, Integer.MAX_VALUE, time);
    rig.connectedAtLast();
    told = false;
    return new Link() {
      @Override
      public Outcome send(Dispatch dispatch) throws Exception {
        int before = platform.requests().size();
        var outcome = CompletableFuture.supplyAsync(() -> sent(rig, dispatch));
        while (!told && !outcome.isDone()) { // nobody will say what became of it
          if (platform.requests().size() > before) {
            time.pass(Duration.ofSeconds(1));
          }
          Thread.onSpinWait();
        }
        return outcome.get(2, TimeUnit.MINUTES);
      }

      @Override
      public void close() {
        rig.close();
      }
    };
  }

  private static Outcome sent(TlonRig rig, Dispatch dispatch) {
    try {
      return rig.link.send(dispatch);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected Dispatch part(TestAccount account) {
    return account.part(ANN, "hello");
  }

  @Override
  protected Reply.Answer success() {
    return Reply.json(200, "{\"ok\":true}");
  }

  /** The ship does it, and says so. */
  @Override
  protected void succeed() {
    told = true;
  }
}
