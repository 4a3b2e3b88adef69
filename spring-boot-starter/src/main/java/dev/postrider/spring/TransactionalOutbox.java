package dev.postrider.spring;

import dev.postrider.Delivery;
import dev.postrider.Postrider;
import dev.postrider.message.Message;
import dev.postrider.problem.Refused;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Hands messages in as part of the application's own transaction: each is taken if, and only if,
 * that is committed. For a store in the PostgreSQL database of the application's data source.
 * Thread-safe.
 */
public final class TransactionalOutbox {
  private final Postrider postrider;
  private final DataSource dataSource;

  /** An outbox for the transactions of a data source. */
  public TransactionalOutbox(Postrider postrider, DataSource dataSource) {
    this.postrider = postrider;
    this.dataSource = dataSource;
  }

  /**
   * Hands a message in with the transaction that is open, or durably at once if there is none.
   *
   * @throws Refused if it was not taken; the transaction can go on
   * @throws UnsupportedOperationException in a transaction, if the store cannot join one
   */
  public Delivery send(Message message) {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      return postrider.send(message);
    }
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      return postrider.send(connection, message);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }
}
