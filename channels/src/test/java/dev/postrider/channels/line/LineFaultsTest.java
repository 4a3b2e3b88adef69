package dev.postrider.channels.line;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import org.junit.jupiter.api.Nested;

class LineFaultsTest {
  private abstract static class Faults extends FaultMatrix {
    @Override
    protected Channel channel() {
      return new LineChannel();
    }

    @Override
    protected AccountConfig account(String baseUrl) {
      return AccountConfig.of("line", "line")
          .set("token", "long-lived-token")
          .set("baseUrl", baseUrl);
    }

    @Override
    protected Reply.Answer success() {
      return Reply.json(200, "{\"sentMessages\":[{\"id\":\"1\",\"quoteToken\":\"q\"}]}");
    }
  }

  @Nested
  class Text extends Faults {
    @Override
    protected Dispatch part(TestAccount account) {
      return account.part("U4af4980629000000000000000000abcd", "hello");
    }
  }

  @Nested
  class File extends Faults {
    @Override
    protected Dispatch part(TestAccount account) {
      Attachment file =
          new Attachment("https://example.org/x", MediaKind.IMAGE, null, null, -1, false, false);
      Dispatch part = account.part("U4af4980629000000000000000000abcd", "hello");
      return new Dispatch(
          part.id(),
          part.message(),
          new Plan(part.id(), List.of(Part.carrying(List.of(file)))),
          0,
          part.state(),
          List.of(new PartFile(file, null, null)));
    }
  }
}
