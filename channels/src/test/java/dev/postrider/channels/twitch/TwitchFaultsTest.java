package dev.postrider.channels.twitch;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

class TwitchFaultsTest extends FaultMatrix {
  private final FakeTwitch twitch = new FakeTwitch(InstantSource.system());

  @AfterEach
  void close() {
    twitch.close();
  }

  @Override
  protected Channel channel() {
    return new TwitchChannel();
  }

  @Override
  protected AccountConfig account(String baseUrl) {
    return twitch.account().set("baseUrl", baseUrl);
  }

  @Override
  protected Dispatch part(TestAccount account) {
    return account.part(FakeTwitch.ANN, "hello");
  }

  @Override
  protected Reply.Answer success() {
    return FakeTwitch.sent("abc-123-def");
  }

  @Override
  protected List<Reply> hollowSuccesses() {
    return Stream.concat(
            super.hollowSuccesses().stream(),
            Stream.of(
                Reply.json(200, "{}"),
                Reply.json(200, "{\"data\":[]}"),
                Reply.json(200, "{\"data\":[{\"message_id\":\"\",\"is_sent\":true}]}"),
                Reply.json(204, ""),
                FakeTwitch.dropped("anything_new", "no")))
        .toList();
  }
}
