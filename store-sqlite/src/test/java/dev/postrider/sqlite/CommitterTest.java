package dev.postrider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.jdbc.session.Committer;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.sqlite.file.WriteTransaction;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreFailure;
import dev.postrider.store.failure.StoreUnavailable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Many writes, one transaction; and what becomes of it when one of them fails. */
class CommitterTest {
  private final List<String> log = new ArrayList<>();
  private final Steps writer = new Steps();
  private final Steps completer = new Steps();
  private boolean diskIsFull;
  private RuntimeException telling;
  private JdbcSession session;
  private Committer<WriteTransaction.Step<?>> committer;

  /** Writes down what happens around the transactions. */
  private final class Around implements WriteTransaction.Around {
    @Override
    public void beforeCommit() throws SQLException {
      if (diskIsFull) {
        throw new SQLiteException("full", SQLiteErrorCode.SQLITE_FULL);
      }
    }

    @Override
    public void committed() {
      log.add("committed");
      if (telling != null) {
        throw telling;
      }
    }

    @Override
    public void rolledBack() {
      log.add("rolled back");
    }
  }

  @BeforeEach
  void openSession() throws SQLException {
    session = new JdbcSession(new SQLiteConfig().createConnection("jdbc:sqlite::memory:"));
    session.execute("CREATE TABLE written (name TEXT)");
    committer = new Committer<>(new WriteTransaction(session, new Around()), writer, completer);
  }

  @AfterEach
  void closeSession() {
    session.close();
  }

  private <T> CompletableFuture<T> submit(WriteTransaction.Work<T> work) {
    return submitTo(committer, work);
  }

  private static <T> CompletableFuture<T> submitTo(
      Committer<WriteTransaction.Step<?>> committer, WriteTransaction.Work<T> work) {
    WriteTransaction.Step<T> step = new WriteTransaction.Step<>(work);
    committer.submit(step);
    return step.future();
  }

  private CompletableFuture<String> write(String name) {
    return submit(
        () -> {
          session.update("INSERT INTO written VALUES (?)", name);
          return name;
        });
  }

  private CompletableFuture<String> writeAndThrow(String name, Throwable poison) {
    return submit(
        () -> {
          session.update("INSERT INTO written VALUES (?)", name);
          throw CommitterTest.<RuntimeException>sneaky(poison);
        });
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E sneaky(Throwable any) throws E {
    throw (E) any;
  }

  private List<String> written() throws SQLException {
    return session.all("SELECT name FROM written ORDER BY rowid", row -> row.getString(1));
  }

  private void runAll() {
    writer.run();
    completer.run();
  }

  @Test
  void writes_handed_in_together_are_committed_together_in_order() throws Exception {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      names.add("write " + i);
      write("write " + i);
    }

    runAll();

    assertThat(written()).isEqualTo(names);
    assertThat(log).containsExactly("committed");
  }

  @Test
  void futures_complete_after_the_commit_and_in_order() {
    List<CompletableFuture<String>> futures = new ArrayList<>();
    for (String name : List.of("one", "two", "three")) {
      CompletableFuture<String> future = write(name);
      future.thenAccept(log::add);
      futures.add(future);
    }
    assertThat(futures).noneMatch(CompletableFuture::isDone);

    writer.run();
    assertThat(futures).as("on the writer's thread").noneMatch(CompletableFuture::isDone);
    assertThat(log).containsExactly("committed");

    completer.run();
    assertThat(log).containsExactly("committed", "one", "two", "three");
  }

  @Test
  void what_gathers_during_a_commit_is_the_next_batch() throws Exception {
    submit(
        () -> {
          write("during");
          write("also during");
          return session.update("INSERT INTO written VALUES ('first')");
        });

    runAll();

    assertThat(written()).containsExactly("first", "during", "also during");
    assertThat(log).containsExactly("committed", "committed");
  }

  @Test
  void one_poisonous_write_does_not_take_its_neighbours_with_it() throws Exception {
    CompletableFuture<String> before = write("before");
    CompletableFuture<String> poison =
        writeAndThrow("poison", new IllegalStateException("no good"));
    CompletableFuture<String> after = write("after");

    runAll();

    assertThat(before).isCompletedWithValue("before");
    assertThat(after).isCompletedWithValue("after");
    assertThatThrownBy(poison::join).hasRootCauseMessage("no good");
    assertThat(written()).containsExactly("before", "after");
    assertThat(log)
        .containsExactly("rolled back", "committed", "rolled back", "rolled back", "committed");
  }

  @Test
  void a_write_that_can_never_succeed_fails_by_name() {
    CompletableFuture<Integer> poison = submit(CommitterTest::divideByZero);

    runAll();

    assertThatThrownBy(poison::join)
        .cause()
        .isInstanceOfSatisfying(
            StoreFailure.class,
            failure -> assertThat(failure.operation()).isEqualTo("divideByZero"))
        .hasMessageContaining("ArithmeticException: / by zero");
  }

  private static int divideByZero() {
    IntSupplier zero = () -> 0;
    IntSupplier work = () -> 1 / zero.getAsInt();
    return work.getAsInt();
  }

  @Test
  void a_batch_with_a_poisonous_write_is_halved_until_it_is_alone() throws Exception {
    for (int i = 0; i < 500; i++) {
      write("write " + i);
    }
    CompletableFuture<String> poison = writeAndThrow("poison", new NullPointerException());
    for (int i = 500; i < 1000; i++) {
      write("write " + i);
    }

    runAll();

    assertThat(poison).isCompletedExceptionally();
    assertThat(written()).hasSize(1000).startsWith("write 0").endsWith("write 999");
    assertThat(log).hasSizeLessThan(25);
  }

  @Test
  void what_was_committed_counts_even_if_something_goes_wrong_right_after_it() throws Exception {
    telling = new IllegalStateException("after the commit");
    CompletableFuture<String> one = write("one");
    CompletableFuture<String> two = write("two");

    runAll();

    assertThat(one).isCompletedWithValue("one");
    assertThat(two).isCompletedWithValue("two");
    assertThat(written()).containsExactly("one", "two");
  }

  @Test
  void writes_that_wait_when_the_writer_has_ended_are_refused() {
    CompletableFuture<String> waits = write("waits"); // the writer never comes

    committer.close();
    committer.end();

    assertThatThrownBy(waits::join).hasCauseInstanceOf(StoreClosed.class);
  }

  @Test
  void writes_are_answered_when_the_completer_is_gone() {
    Committer<WriteTransaction.Step<?>> closing =
        new Committer<>(
            new WriteTransaction(session, new Around()),
            writer,
            _ -> {
              throw new RejectedExecutionException();
            });

    CompletableFuture<String> write = submitTo(closing, () -> "written");
    writer.run();

    assertThat(write).isCompletedWithValue("written");
  }

  @Test
  void a_write_that_sqlite_refuses_does_not_take_its_neighbours_with_it() throws Exception {
    CompletableFuture<String> before = write("before");
    CompletableFuture<Integer> poison =
        submit(() -> session.update("INSERT INTO nowhere VALUES (1)"));

    runAll();

    assertThat(before).isCompletedWithValue("before");
    assertThatThrownBy(poison::join).hasRootCauseInstanceOf(SQLException.class);
    assertThat(written()).containsExactly("before");
  }

  @Test
  void a_write_that_throws_an_error_is_answered_and_the_committer_goes_on() throws Exception {
    CompletableFuture<String> poison = writeAndThrow("poison", new StackOverflowError("deep"));
    CompletableFuture<String> after = write("after");
    runAll();
    CompletableFuture<String> later = write("later");
    runAll();

    assertThat(poison).isCompletedExceptionally();
    assertThat(after).isCompletedWithValue("after");
    assertThat(later).isCompletedWithValue("later");
    assertThat(written()).containsExactly("after", "later");
  }

  @Test
  void when_the_store_is_the_problem_every_write_of_the_batch_fails_and_none_is_tried_alone()
      throws Exception {
    diskIsFull = true;
    List<CompletableFuture<String>> futures = List.of(write("one"), write("two"));

    runAll();

    for (CompletableFuture<String> future : futures) {
      assertThatThrownBy(future::join)
          .cause()
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("the disk is full");
    }
    assertThat(written()).isEmpty();
    assertThat(log).containsExactly("rolled back");

    diskIsFull = false;
    CompletableFuture<String> later = write("later");
    runAll();
    assertThat(later).isCompletedWithValue("later");
  }

  @Test
  void a_write_after_closing_is_refused() {
    committer.close();

    assertThatThrownBy(write("late")::join).hasCauseInstanceOf(StoreClosed.class);
  }

  @Test
  void a_write_that_races_with_closing_is_refused() {
    Committer<WriteTransaction.Step<?>> closing =
        new Committer<>(
            new WriteTransaction(session, new Around()),
            _ -> {
              throw new RejectedExecutionException();
            },
            completer);

    CompletableFuture<String> first = submitTo(closing, () -> "first");
    CompletableFuture<String> second = submitTo(closing, () -> "second");

    assertThatThrownBy(first::join).hasCauseInstanceOf(StoreClosed.class);
    assertThatThrownBy(second::join).hasCauseInstanceOf(StoreClosed.class);
  }
}
