package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.Retention;
import dev.postrider.store.failure.LeaseLost;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.Budget;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.PausedLane;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What survives a restart besides messages: budgets, pauses and the state of accounts. */
abstract class Notes extends StoreBehaviour {
  Notes(StoreContract contract) {
    super(contract);
  }

  // ---- budgets

  private static Budget spent(String scope, long revision, long until) {
    return new Budget(scope, revision, at(until), "spent " + revision);
  }

  private void save(Budget... budgets) {
    done(store.save(List.of(budgets)));
  }

  @Test
  void the_latest_revision_of_a_budget_counts_even_if_it_opens_earlier() {
    save(spent("account:bot", 1, 20));
    save(spent("account:bot", 2, 10));

    assertThat(store.budgets(at(0))).containsExactly(spent("account:bot", 2, 10));
  }

  @Test
  void the_latest_revision_counts_in_one_write_and_in_one_bulk() {
    save(spent("chat:a", 2, 10), spent("chat:a", 3, 10), spent("chat:a", 1, 10));
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      writes.add(store.save(List.of(spent("account:bot", i, 10))));
    }
    writes.forEach(this::done);

    assertThat(store.budgets(at(0)))
        .containsExactlyInAnyOrder(spent("chat:a", 3, 10), spent("account:bot", 100, 10));
  }

  @Test
  void a_budget_never_goes_back() {
    save(spent("account:bot", 20, 20));
    save(spent("account:bot", 10, 30));
    assertThat(store.budgets(at(0))).containsExactly(spent("account:bot", 20, 20));

    var later = store.save(List.of(spent("account:bot", 40, 20)));
    var earlier = store.save(List.of(spent("account:bot", 30, 20)));
    done(later);
    done(earlier);

    assertThat(store.budgets(at(0))).containsExactly(spent("account:bot", 40, 20));
  }

  @Test
  void a_budget_is_forgotten_when_it_is_full_again() {
    save(spent("account:bot", 1, 20));

    assertThat(store.budgets(at(19))).hasSize(1);
    assertThat(store.budgets(at(20))).isEmpty();
  }

  @Test
  void pruning_leaves_budgets_that_are_not_full() {
    save(spent("account:bot", 1, 20), spent("chat:a", 1, 10));

    done(store.prune(new Retention(at(19), at(19), at(19)), 99));

    assertThat(store.budgets(at(0))).containsExactly(spent("account:bot", 1, 20));
  }

  @Test
  void budgets_of_many_scopes_survive_reopening() {
    List<Budget> budgets = new ArrayList<>();
    for (String scope : List.of("channel:telegram", "account:bot", "chat:bot/änn", "chat:bot/😀")) {
      budgets.add(spent(scope, 7, 20));
    }
    done(store.save(budgets));
    done(store.save(List.of()));

    reopen();

    assertThat(store.budgets(at(0))).containsExactlyInAnyOrderElementsOf(budgets);
  }

  // ---- paused lanes

  @Test
  void a_pause_is_remembered_until_it_is_lifted() {
    PausedLane pause = new PausedLane("bot", "ann", "by hand", at(1));
    done(store.pauseLane(pause));
    assertThat(store.pausedLanes()).containsExactly(pause);

    assertThat(done(store.resumeLane("bot", "ann"))).isTrue();

    assertThat(store.pausedLanes()).isEmpty();
    assertThat(done(store.resumeLane("bot", "ann"))).isFalse();
  }

  @Test
  void the_last_reason_for_a_pause_counts() {
    done(store.pauseLane(new PausedLane("bot", "ann", "one", at(1))));
    done(store.pauseLane(new PausedLane("bot", "ann", "two", at(2))));

    assertThat(store.pausedLanes()).containsExactly(new PausedLane("bot", "ann", "two", at(2)));
  }

  @Test
  void a_pause_is_of_one_chat_on_one_account() {
    done(store.pauseLane(new PausedLane("bot", "ann", "one", at(1))));
    done(store.pauseLane(new PausedLane("other", "ann", "two", at(1))));

    assertThat(done(store.resumeLane("bot", "ben"))).isFalse();
    assertThat(done(store.resumeLane("bot", "ann"))).isTrue();
    assertThat(store.pausedLanes()).extracting(PausedLane::account).containsExactly("other");
  }

  @Test
  void pauses_survive_reopening() {
    PausedLane pause = new PausedLane("bot", "änn 😀", "by “hand”", at(1));
    done(store.pauseLane(pause));

    reopen();

    assertThat(store.pausedLanes()).containsExactly(pause);
  }

  // ---- accounts

  private AccountState stateOf(String account) {
    return store.accounts().stream()
        .filter(state -> state.account().equals(account))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void the_state_of_an_account_is_remembered_until_it_is_resumed() {
    Lease lease = lease("bot");
    AccountState both = new AccountState("bot", "by hand", at(2), "token revoked", at(1));
    done(store.pauseAccount("bot", "by hand", at(2)));
    assertThat(done(store.accountBroken(lease, "token revoked", at(1)))).isEqualTo(both);
    assertThat(stateOf("bot")).isEqualTo(both);

    assertThat(done(store.resumeAccount("bot"))).isEqualTo(AccountState.fresh("bot"));

    assertThat(stateOf("bot")).isEqualTo(AccountState.fresh("bot"));
  }

  @Test
  void the_first_pause_of_an_account_is_not_overwritten_by_the_second() {
    AccountState paused = AccountState.fresh("bot").paused("by ann", at(2));
    assertThat(done(store.pauseAccount("bot", "by ann", at(2)))).isEqualTo(paused);

    assertThat(done(store.pauseAccount("bot", "by bob", at(3)))).isEqualTo(paused);

    assertThat(stateOf("bot")).isEqualTo(paused);
  }

  @Test
  void breakage_and_repair_leave_a_pause_alone_and_the_pause_leaves_them_alone() {
    Lease lease = lease("bot");
    done(store.accountBroken(lease, "token revoked", at(1)));
    done(store.pauseAccount("bot", "by hand", at(2)));
    assertThat(done(store.accountBroken(lease, "again", at(2))))
        .isEqualTo(new AccountState("bot", "by hand", at(2), "token revoked", at(1)));

    assertThat(done(store.accountRepaired(lease)))
        .isEqualTo(AccountState.fresh("bot").paused("by hand", at(2)));
  }

  @Test
  void whoever_has_lost_the_lease_neither_breaks_nor_repairs_the_account() {
    Lease old = lease("bot");
    done(store.accountBroken(old, "token revoked", at(1)));
    done(store.release(old));
    lease("bot");

    assertThat(failure(store.accountRepaired(old))).isInstanceOf(LeaseLost.class);
    assertThat(failure(store.accountBroken(old, "late", at(2)))).isInstanceOf(LeaseLost.class);

    assertThat(stateOf("bot").brokenBecause()).isEqualTo("token revoked");
  }

  @Test
  void states_of_accounts_survive_reopening() {
    done(store.pauseAccount("bot", "by hand", at(2)));
    done(store.accountBroken(lease("other"), "token revoked", at(1)));

    reopen();

    assertThat(stateOf("bot")).isEqualTo(AccountState.fresh("bot").paused("by hand", at(2)));
    assertThat(stateOf("other"))
        .isEqualTo(AccountState.fresh("other").broken("token revoked", at(1)));
  }

  @Test
  void taking_the_lease_leaves_the_state_of_the_account_alone() {
    AccountState paused = done(store.pauseAccount("bot", "by hand", at(2)));

    lease("bot");

    assertThat(store.accounts()).contains(paused);
  }
}
