package dev.postrider.channels.zalo;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.UploadFaultMatrix;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

class ZaloFaultsTest {
  private static final String PERSON = "2512523625412515";

  private static Attachment picture() {
    return new Attachment("https://example.org/x", MediaKind.IMAGE, null, null, -1, false, false);
  }

  private abstract static class BotFaults extends FaultMatrix {
    @Override
    protected Channel channel() {
      return new ZaloChannel();
    }

    @Override
    protected AccountConfig account(String baseUrl) {
      return AccountConfig.of("zb", "zalo").set("token", "1:very-secret").set("baseUrl", baseUrl);
    }

    @Override
    protected Reply.Answer success() {
      return FakeZalo.ok("m1");
    }

    @Override
    protected List<Reply> hollowSuccesses() {
      return List.of(
          Reply.html(200, "<h1>Welcome to our hotel</h1>"),
          Reply.json(200, "{\"ok\":true}"),
          FakeZalo.no(400, "no"),
          new Reply.HalfAnswer(success()));
    }
  }

  @Nested
  class BotText extends BotFaults {
    @Override
    protected Dispatch part(TestAccount account) {
      return account.part("6ede9afa66b88fe6d6a9", "hello");
    }
  }

  @Nested
  class BotPhoto extends BotFaults {
    @Override
    protected Dispatch part(TestAccount account) {
      return account
          .part("6ede9afa66b88fe6d6a9", "hello")
          .carrying(List.of(new PartFile(picture(), null, null)));
    }
  }

  private abstract static class OaFaults extends FaultMatrix {
    private final FakeZalo zalo = new FakeZalo();

    OaFaults() {
      for (int i = 0; i < 5; i++) {
        zalo.oauth.answer(FakeZalo.tokens(i));
      }
    }

    @AfterEach
    void closeZalo() {
      zalo.close();
    }

    @Override
    protected Channel channel() {
      return new ZaloChannel();
    }

    @Override
    protected AccountConfig account(String baseUrl) {
      return zalo.oa().set("baseUrl", baseUrl);
    }

    @Override
    protected Reply.Answer success() {
      return FakeZalo.sent("m1");
    }

    @Override
    protected List<Reply> hollowSuccesses() {
      return List.of(
          Reply.html(200, "<h1>Welcome to our hotel</h1>"),
          Reply.json(200, "{\"message\":\"Success\"}"),
          FakeZalo.refused(-200, "Send message failed"),
          new Reply.HalfAnswer(success()));
    }
  }

  @Nested
  class OaUpload extends UploadFaultMatrix {
    private final FakeZalo zalo = new FakeZalo();

    OaUpload() {
      zalo.oauth.otherwise(_ -> FakeZalo.tokens(1));
    }

    @AfterEach
    void closeZalo() {
      zalo.close();
    }

    @Override
    protected Channel channel() {
      return new ZaloChannel();
    }

    @Override
    protected AccountConfig account(String baseUrl) {
      return zalo.oa().set("baseUrl", baseUrl);
    }

    @Override
    protected Reply.Answer success() {
      return Reply.json(200, "{\"error\":0,\"data\":{\"attachment_id\":\"a1\"}}");
    }
  }

  @Nested
  class OaText extends OaFaults {
    @Override
    protected Dispatch part(TestAccount account) {
      return account.part(PERSON, "hello");
    }
  }

  @Nested
  class OaPicture extends OaFaults {
    @Override
    protected Dispatch part(TestAccount account) {
      return account
          .part(PERSON, "hello")
          .carrying(List.of(new PartFile(picture(), FileHandle.of("image:77"), null)));
    }
  }
}
