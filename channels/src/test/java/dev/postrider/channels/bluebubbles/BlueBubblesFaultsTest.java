package dev.postrider.channels.bluebubbles;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

class BlueBubblesFaultsTest extends FaultMatrix {
  @Override
  protected Channel channel() {
    return new BlueBubblesChannel();
  }

  @Override
  protected AccountConfig account(String baseUrl) {
    return AccountConfig.of("mac", "bluebubbles")
        .set("baseUrl", baseUrl)
        .set("service", "iMessage")
        .set("password", FakeBlueBubbles.PASSWORD);
  }

  @Override
  protected Dispatch part(TestAccount account) {
    return account.part("iMessage;-;+491701234567", "hello");
  }

  @Override
  protected Reply.Answer success() {
    return FakeBlueBubbles.done(Map.of("guid", "GUID-1", "error", 0));
  }

  @Override
  protected List<Reply> hollowSuccesses() {
    return Stream.concat(
            super.hollowSuccesses().stream(),
            Stream.of(
                Reply.json(200, "{}"),
                Reply.json(200, "{\"status\":200,\"message\":\"No Data\"}"),
                Reply.json(200, "{\"status\":500,\"message\":\"Server Error\"}"),
                FakeBlueBubbles.done(Map.of("guid", "")),
                FakeBlueBubbles.done(Map.of("guid", "GUID-1", "error", 22)),
                Reply.json(200, "[]"),
                Reply.json(204, "")))
        .toList();
  }
}
