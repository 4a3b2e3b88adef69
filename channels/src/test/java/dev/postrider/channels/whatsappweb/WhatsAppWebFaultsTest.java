package dev.postrider.channels.whatsappweb;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.testkit.platform.Reply;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Nested;

class WhatsAppWebFaultsTest {
  private abstract static class Faults extends FaultMatrix {
    @Override
    protected Channel channel() {
      return new WhatsAppWebChannel();
    }
  }

  private abstract static class Waha extends Faults {
    @Override
    protected AccountConfig account(String baseUrl) {
      return AccountConfig.of("wa", "whatsapp-web")
          .set("apiKey", "secret-1")
          .set("baseUrl", baseUrl);
    }

    @Override
    protected Reply.Answer success() {
      return FakeBridge.sent(FakeBridge.GROUP, "3EB012");
    }
  }

  private abstract static class Gowa extends Faults {
    @Override
    protected AccountConfig account(String baseUrl) {
      return AccountConfig.of("wa", "whatsapp-web").set("bridge", "gowa").set("baseUrl", baseUrl);
    }

    @Override
    protected Reply.Answer success() {
      return Reply.json(200, "{\"code\":\"SUCCESS\",\"results\":{\"message_id\":\"3EB0\"}}");
    }
  }

  static PartFile image(byte[] bytes) {
    Attachment file =
        new Attachment("file:x.png", MediaKind.IMAGE, "x.png", "image/png", 3, false, false);
    return new PartFile(file, null, new Held(bytes));
  }

  record Held(byte[] bytes) implements PartFile.Bytes {
    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes);
    }
  }

  @Nested
  class TextByWaha extends Waha {
    @Override
    protected Dispatch part(TestAccount account) {
      return account.part(FakeBridge.GROUP, "hello");
    }
  }

  @Nested
  class FileByWaha extends Waha {
    @Override
    protected Dispatch part(TestAccount account) {
      return account.part(FakeBridge.GROUP, "hello").carrying(List.of(image(new byte[] {1, 2, 3})));
    }
  }

  @Nested
  class TextByGowa extends Gowa {
    @Override
    protected Dispatch part(TestAccount account) {
      return account.part(FakeBridge.GROUP, "hello");
    }
  }

  @Nested
  class FileByGowa extends Gowa {
    @Override
    protected Dispatch part(TestAccount account) {
      return account.part(FakeBridge.GROUP, "hello").carrying(List.of(image(new byte[] {1, 2, 3})));
    }
  }
}
