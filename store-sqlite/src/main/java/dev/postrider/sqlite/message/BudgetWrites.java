package dev.postrider.sqlite.message;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.file.WriteTransaction;
import dev.postrider.sqlite.sql.MessageSql;
import dev.postrider.store.message.Budget;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The budgets of the batch at hand. They change with every message and only the last word counts,
 * so they are written once per batch. Belongs to the writer's thread.
 */
public final class BudgetWrites implements WriteTransaction.Around {
  private final JdbcSession session;
  private final Accounts accounts;
  private final Map<String, Budget> budgets = new LinkedHashMap<>();

  public BudgetWrites(JdbcSession session, Accounts accounts) {
    this.session = session;
    this.accounts = accounts;
  }

  public void save(Budget budget) {
    budgets.merge(
        budget.scope(), budget, (before, now) -> now.revision() > before.revision() ? now : before);
  }

  @Override
  public void beforeCommit() throws SQLException {
    for (Budget budget : budgets.values()) {
      session.update(
          MessageSql.SAVE_BUDGET,
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
