package dev.postrider.channels.nextcloud;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A user of the server who may read what the bot cannot. */
record UserLogin(String user, String appPassword) {

  /** Null if the account has none. */
  static @Nullable UserLogin of(Settings settings) {
    String user = settings.text("user", "");
    String password = settings.text("appPassword", "");
    if (user.isBlank() != password.isBlank()) {
      throw settings.wrong(
          user.isBlank() ? "user" : "appPassword",
          "is missing: user and appPassword go together, or leave both out");
    }
    return user.isBlank() ? null : new UserLogin(user, password);
  }

  String authorization() {
    return Base64.getEncoder().encodeToString((user + ":" + appPassword).getBytes(UTF_8));
  }

  HttpCall on(HttpCall call) {
    return NextcloudApi.ocs(call).header("Authorization", "Basic " + authorization());
  }

  @Override
  public String toString() {
    return user;
  }
}
