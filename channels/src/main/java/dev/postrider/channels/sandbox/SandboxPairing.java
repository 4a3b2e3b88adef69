package dev.postrider.channels.sandbox;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The phone of an account that somebody must let in: an imaginary person, who scans or types what
 * is shown after a while. Thread-safe.
 */
final class SandboxPairing {
  private static final Duration VALID = Duration.ofSeconds(20);
  private static final String REFUSED = "0000"; // the end of the number of who lets nobody in

  private final String account;
  private @Nullable AccountContext context; // guarded by this
  private boolean loggedIn = true; // guarded by this
  private boolean met; // whether the account was told to begin logged out; guarded by this
  private Duration takes = Duration.ofSeconds(5); // guarded by this
  private @Nullable LoginState shown; // guarded by this
  private @Nullable Instant validUntil; // guarded by this
  private int codes; // guarded by this

  SandboxPairing(String account) {
    this.account = account;
  }

  /**
   * @param letInAfter how long the person takes who must let it in at first; null if it begins
   *     logged in
   */
  void open(AccountContext opened, @Nullable Duration letInAfter) {
    synchronized (this) {
      context = opened;
      if (letInAfter != null) {
        takes = letInAfter;
        loggedIn &= met;
        met = true;
      }
      if (loggedIn) {
        return;
      }
    }
    opened.needsLogin("no phone has let it in");
  }

  LoginState login(LoginRequest request) {
    AccountContext opened;
    Duration after;
    LoginState first;
    synchronized (this) {
      opened = context;
      after = takes;
      if (loggedIn || opened == null) {
        return new LoginState.LoggedIn("sandbox");
      }
      String phone = request.phone();
      if (phone != null && phone.endsWith(REFUSED)) {
        return new LoginState.Failed("the person with the phone does not want it");
      }
      Instant now = opened.scheduler().instant();
      boolean same = shown instanceof LoginState.TypeCode == (phone != null);
      if (shown != null && same && validUntil != null && now.isBefore(validUntil)) {
        return shown;
      }
      boolean begins = shown == null;
      validUntil = now.plus(VALID);
      first = code(phone, ++codes, validUntil);
      shown = first;
      if (!begins) {
        return first;
      }
    }
    opened.scheduler().after(after, this::letIn);
    return first;
  }

  private LoginState code(@Nullable String phone, int number, Instant until) {
    return phone == null
        ? LoginState.ScanQr.text("sandbox:" + account + ":" + number, until)
        : new LoginState.TypeCode("SAND-%04d".formatted(number), until);
  }

  private void letIn() {
    AccountContext opened;
    synchronized (this) {
      loggedIn = true;
      shown = null;
      opened = context;
    }
    if (opened != null) {
      opened.ready();
    }
  }

  /** The person throws us out again. */
  void logOut() {
    AccountContext opened;
    synchronized (this) {
      loggedIn = false;
      opened = context;
    }
    if (opened != null) {
      opened.needsLogin("logged out by the phone");
    }
  }
}
