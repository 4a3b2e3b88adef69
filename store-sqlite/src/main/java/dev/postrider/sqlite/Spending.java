package dev.postrider.sqlite;

import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.pace.Budget;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The budgets of the batch at hand. They change with every message and only the last word counts,
 * so they are written once per batch. Belongs to the writer's thread.
 */
final class Spending implements Transaction.Around {
  private final Session session;
  private final Accounts accounts;
  private final Map<String, Budget> budgets = new LinkedHashMap<>();

  Spending(Session session, Accounts accounts) {
    this.session = session;
    this.accounts = accounts;
  }

  void save(Budget budget) {
    budgets.merge(
        budget.scope(), budget, (before, now) -> now.revision() > before.revision() ? now : before);
  }

  @Override
  public void beforeCommit() throws SQLException {
    for (Budget budget : budgets.values()) {
      session.update(
          Sql.SAVE_BUDGET,
          budget.scope(),
          budget.revision(),
          Values.micros(budget.until()),
          budget.state());
    }
    budgets.clear();
  }

  @Override
  public void committed() {
    accounts.committed();
  }

  @Override
  public void rolledBack() {
    budgets.clear();
    accounts.rolledBack();
  }
}
