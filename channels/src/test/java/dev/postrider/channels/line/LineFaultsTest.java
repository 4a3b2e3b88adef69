package dev.postrider.channels.line;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
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

  /** With the token of an event, each time another one. */
  @Nested
  class Answer extends Faults {
    private static final String ANN = "U4af4980629000000000000000000abcd";
    private int events;

    @Override
    protected Dispatch part(TestAccount account) {
      String event = "event-" + ++events;
      account
          .memory()
          .write(
              ReplyTokens.remember(ANN, event, "token-" + events, account.scheduler().instant()));
      return account.part(Message.to("line", ANN).text("hello").turnId("turn"));
    }

    @AfterEach
    void each_was_a_reply() {
      assertThat(platform.requests())
          .allSatisfy(it -> assertThat(it.path()).isEqualTo("/v2/bot/message/reply"));
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
