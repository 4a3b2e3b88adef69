package dev.postrider.channels.whatsapp;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import org.junit.jupiter.api.Nested;

class WhatsAppFaultsTest {
  private abstract static class Faults extends FaultMatrix {
    @Override
    protected Channel channel() {
      return new WhatsAppChannel();
    }

    @Override
    protected AccountConfig account(String baseUrl) {
      return AccountConfig.of("wa", "whatsapp")
          .set("token", "EAAG-very-secret")
          .set("phoneNumberId", "106540352242922")
          .set("baseUrl", baseUrl);
    }

    @Override
    protected Reply.Answer success() {
      return Reply.json(
          200, "{\"messaging_product\":\"whatsapp\",\"messages\":[{\"id\":\"wamid.1\"}]}");
    }
  }

  @Nested
  class Text extends Faults {
    @Override
    protected Dispatch part(TestAccount account) {
      return account.part("491701234567", "hello");
    }
  }

  @Nested
  class File extends Faults {
    @Override
    protected Dispatch part(TestAccount account) {
      Attachment file =
          new Attachment("https://example.org/x", MediaKind.IMAGE, null, null, -1, false, false);
      return account
          .part("491701234567", "hello")
          .carrying(List.of(new PartFile(file, FileHandle.of("77"), null)));
    }
  }
}
