package dev.postrider.channels.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

class WebhookFaultsTest extends FaultMatrix {
  @Override
  protected Channel channel() {
    return new WebhookChannel();
  }

  @Override
  protected AccountConfig account(String baseUrl) {
    return AccountConfig.of("out", "webhook")
        .set("url", baseUrl + "/hook")
        .set("secret", "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
        .set("allowedNetworks", "127.0.0.1");
  }

  @Override
  protected Dispatch part(TestAccount account) {
    return account.part("room", "hello");
  }

  @Override
  protected Reply.Answer success() {
    return Reply.text(204, "text/plain", "");
  }

  /** By contract the status says it all: whatever body comes with a 2xx, the receiver has it. */
  @Override
  protected List<Reply> hollowSuccesses() {
    return List.of();
  }

  /** By the specification an endpoint that is overloaded, or away behind a proxy, is throttled. */
  @Override
  protected Class<? extends Outcome> onServerError(int status) {
    return status == 500 ? Outcome.Unknown.class : Outcome.Throttled.class;
  }

  @Test
  void a_connection_that_ends_before_it_is_secured_is_an_outage() throws Exception {
    String address = platform.baseUrl().replace("http:", "https:"); // speaks no TLS
    TestAccount account = TestAccount.of(account(address));
    try (Link link = channel().open(account)) {
      assertThat(link.send(part(account))).isInstanceOf(Outcome.Unreachable.class);
    }
  }
}
