package dev.postrider.channels.signal;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import java.util.List;

class SignalFaultsTest extends FaultMatrix {

  @Override
  protected Channel channel() {
    return new SignalChannel();
  }

  @Override
  protected AccountConfig account(String baseUrl) {
    return AccountConfig.of("sig", "signal")
        .set("baseUrl", baseUrl)
        .set("number", FakeSignalCli.NUMBER);
  }

  @Override
  protected Dispatch part(TestAccount account) {
    return account.part(FakeSignalCli.ANN, "hello");
  }

  @Override
  protected Reply.Answer success() {
    return FakeSignalCli.said(FakeSignalCli.sent("SUCCESS"));
  }

  @Override
  protected List<Reply> hollowSuccesses() {
    return List.of(
        Reply.html(200, "<h1>Welcome to our hotel</h1>"),
        Reply.json(200, "{\"jsonrpc\":tr"),
        Reply.json(200, "{}"),
        Reply.text(201, "text/plain", ""),
        FakeSignalCli.said("\"result\":{}"),
        FakeSignalCli.said(FakeSignalCli.refusal(-1, "Failed to send message", null)),
        new Reply.HalfAnswer(success()));
  }
}
