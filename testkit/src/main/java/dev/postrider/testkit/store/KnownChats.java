package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whom an account has heard of. */
abstract class KnownChats extends ReminderBehaviour {
  KnownChats(StoreContract contract) {
    super(contract);
  }

  private void writes(String account, String chat) {
    InboundMessage arrival =
        new InboundMessage(
            "platform's " + nextId(),
            InboundMessage.Kind.MESSAGE,
            chat,
            InboundMessage.ChatKind.DM,
            new InboundMessage.Sender("7", null),
            "hello",
            List.of(),
            null,
            null,
            null,
            null,
            Map.of());
    NewInbound event =
        new NewInbound(new InboundId(nextId()), arrival, account + "/" + chat, at(0));
    done(store.receive(account, List.of(event), null));
  }

  @Test
  void who_wrote_is_known_to_the_account_he_wrote_to() {
    writes("bot", "ann");
    writes("other", "ben");

    assertThat(reminders().known("bot", List.of("ann", "ben", "cid"))).containsExactly("ann");
    assertThat(reminders().known("other", List.of("ann", "ben", "cid"))).containsExactly("ben");
    assertThat(reminders().known("nobody", List.of("ann", "ben", "cid"))).isEmpty();
    assertThat(reminders().known("bot", List.of())).isEmpty();
  }

  @Test
  void whom_a_run_has_reached_is_known_to_the_account_that_sent() {
    StoredRun run =
        running(
            saved(
                target("sent"),
                target("failed"),
                target("pending"),
                target("sending"),
                target("other", "sent by another")),
            1);
    end(run, 0, TargetStatus.SENT);
    end(run, 1, TargetStatus.FAILED);
    begun(run, 3);
    end(run, 4, TargetStatus.SENT);

    Set<String> chats = Set.of("sent", "failed", "pending", "sending", "sent by another");
    assertThat(reminders().known("bot", chats)).containsExactly("sent");
    assertThat(reminders().known("other", chats)).containsExactly("sent by another");
  }

  @Test
  void many_are_asked_about_at_once_whatever_they_are_called() {
    String odd = "quote ' \" \\ {\"a\":1} 😀 \u2028";
    String similar = "x".repeat(4_000);
    writes("bot", odd);
    writes("bot", similar + "1");
    writes("bot", "chat-2500");
    List<String> chats = new ArrayList<>(List.of(odd, similar + "1", similar + "2", "", "%", "_"));
    for (int n = 0; n < 3_000; n++) {
      chats.add("chat-" + n);
    }

    assertThat(reminders().known("bot", chats))
        .containsExactlyInAnyOrder(odd, similar + "1", "chat-2500");
  }
}
