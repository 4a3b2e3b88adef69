package dev.postrider.channels.mattermost;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.UploadFaultMatrix;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;

class MattermostFaultsTest {
  private abstract static class Faults extends FaultMatrix {
    @Override
    protected Channel channel() {
      return new MattermostChannel();
    }

    @Override
    protected AccountConfig account(String baseUrl) {
      return AccountConfig.of("mm", "mattermost")
          .set("token", FakeMattermost.TOKEN)
          .set("baseUrl", baseUrl);
    }

    @Override
    protected Reply.Answer success() {
      return FakeMattermost.json(201, Map.of("id", FakeMattermost.id("post")));
    }

    @Override
    protected List<Reply> hollowSuccesses() {
      return Stream.concat(
              super.hollowSuccesses().stream(),
              Stream.of(
                  Reply.json(201, "{}"),
                  Reply.json(201, "{\"id\":\"\"}"),
                  Reply.json(200, "[]"),
                  Reply.json(204, "")))
          .toList();
    }
  }

  @Nested
  class Text extends Faults {
    @Override
    protected Dispatch part(TestAccount account) {
      return account.part(FakeMattermost.TOWN, "hello");
    }
  }

  /** The fault is in the post's own request: its file is uploaded before. */
  @Nested
  class WithFile extends Faults {
    @Override
    protected Dispatch part(TestAccount account) {
      return account.part(FakeMattermost.TOWN, "hello").carrying(List.of(UploadFaultMatrix.file()));
    }

    @Override
    protected void answer(Reply reply) {
      platform.answer(
          FakeMattermost.json(
              201, Map.of("file_infos", List.of(Map.of("id", FakeMattermost.id("file"))))),
          reply);
    }

    @Override
    protected Reply.Answer success() {
      return FakeMattermost.json(
          201,
          Map.of("id", FakeMattermost.id("post"), "file_ids", List.of(FakeMattermost.id("file"))));
    }
  }
}
