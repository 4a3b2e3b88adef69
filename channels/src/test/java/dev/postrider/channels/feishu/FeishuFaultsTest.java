package dev.postrider.channels.feishu;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.UploadFaultMatrix;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

class FeishuFaultsTest {
  /** An app that has its token, so that the fault is in the message's own request. */
  private record WithToken(Channel inner) implements Channel {
    @Override
    public String name() {
      return inner.name();
    }

    @Override
    public Capabilities capabilities(AccountConfig account) {
      return inner.capabilities(account);
    }

    @Override
    public Link open(AccountContext context) {
      Link link = inner.open(context);
      try {
        link.probe();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      return link;
    }
  }

  @Nested
  class App extends FaultMatrix {
    @BeforeEach
    void givesTokens() {
      platform.when(
          request -> request.path().endsWith("/tenant_access_token/internal"),
          Reply.json(200, "{\"code\":0,\"tenant_access_token\":\"t-1234567\",\"expire\":7200}"));
    }

    @Override
    protected Channel channel() {
      return new WithToken(new FeishuChannel());
    }

    @Override
    protected AccountConfig account(String baseUrl) {
      return AccountConfig.of("fs", "feishu")
          .set("appId", "cli_a1")
          .set("appSecret", FakeFeishu.APP_SECRET)
          .set("baseUrl", baseUrl);
    }

    @Override
    protected Dispatch part(TestAccount account) {
      return account.part("oc_1", "hello");
    }

    @Override
    protected Reply.Answer success() {
      return FakeFeishu.success("om_1");
    }
  }

  @Nested
  class Upload extends UploadFaultMatrix {
    @BeforeEach
    void givesTokens() {
      platform.when(
          request -> request.path().endsWith("/tenant_access_token/internal"),
          Reply.json(200, "{\"code\":0,\"tenant_access_token\":\"t-1234567\",\"expire\":7200}"));
    }

    @Override
    protected Channel channel() {
      return new WithToken(new FeishuChannel());
    }

    @Override
    protected AccountConfig account(String baseUrl) {
      return AccountConfig.of("fs", "feishu")
          .set("appId", "cli_a1")
          .set("appSecret", FakeFeishu.APP_SECRET)
          .set("baseUrl", baseUrl);
    }

    @Override
    protected Reply.Answer success() {
      return Reply.json(200, "{\"code\":0,\"data\":{\"image_key\":\"img_v3_1\"}}");
    }

    @Override
    protected List<Reply> hollowSuccesses() {
      return Stream.concat(
              super.hollowSuccesses().stream(),
              Stream.of(Reply.json(200, "{}"), Reply.json(200, "{\"code\":0,\"data\":{}}")))
          .toList();
    }
  }

  @Nested
  class CustomBot extends FaultMatrix {
    @Override
    protected Channel channel() {
      return new FeishuChannel();
    }

    @Override
    protected AccountConfig account(String baseUrl) {
      return AccountConfig.of("fs", "feishu")
          .set("webhookUrl", baseUrl + "/open-apis/bot/v2/hook/0a1b2c3d");
    }

    @Override
    protected Dispatch part(TestAccount account) {
      return account.part("the group", "hello");
    }

    @Override
    protected Reply.Answer success() {
      return Reply.json(200, "{\"StatusCode\":0,\"StatusMessage\":\"success\",\"code\":0}");
    }
  }
}
