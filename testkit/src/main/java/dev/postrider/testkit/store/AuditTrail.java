package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.store.history.AuditEntry;
import dev.postrider.store.message.Page;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What operators did. */
abstract class AuditTrail extends InboundStoreBehaviour {
  AuditTrail(StoreContract contract) {
    super(contract);
  }

  private AuditEntry did(int n) {
    AuditEntry entry =
        new AuditEntry(
            at(n), new UUID(7, n), "ops", "accounts pause", "bot " + n, n == 2 ? "done" : "not");
    done(desk().record(entry));
    return entry;
  }

  private List<AuditEntry> all() {
    return desk().audit(null, 100).items();
  }

  @Test
  void what_operators_did_comes_back_the_newest_first() {
    assertThat(all()).isEmpty();
    AuditEntry second = did(2);
    AuditEntry first = did(1);
    AuditEntry third = did(3);

    assertThat(all()).containsExactly(third, second, first);
    reopen();
    assertThat(all()).containsExactly(third, second, first);
  }

  @Test
  void what_operators_did_comes_in_pages() {
    AuditEntry first = did(1);
    AuditEntry second = did(2);
    AuditEntry third = did(3);

    Page<AuditEntry> page = desk().audit(null, 2);
    assertThat(page.items()).containsExactly(third, second);
    Page<AuditEntry> rest = desk().audit(page.next(), 2);
    assertThat(rest.items()).containsExactly(first);
    assertThat(rest.next()).isNull();
    assertThatThrownBy(() -> desk().audit("nonsense", 2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void what_operators_did_is_recorded_once_however_often_it_is_told() {
    AuditEntry entry = did(1);
    done(desk().record(entry));

    assertThat(all()).containsExactly(entry);
  }

  @Test
  void what_operators_did_is_forgotten_the_oldest_first_within_the_limit() {
    for (int n = 1; n <= 5; n++) {
      did(n);
    }

    assertThat(done(desk().pruneAudit(at(4), 2))).isEqualTo(2);
    assertThat(done(desk().pruneAudit(at(4), 2))).isEqualTo(1);
    assertThat(done(desk().pruneAudit(at(4), 2))).isZero();
    assertThat(all()).extracting(AuditEntry::target).containsExactly("bot 5", "bot 4");
  }
}
