package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accounts that remember something are asked, too, while no server runs. */
class DoctorAccountsTest {
  @TempDir Path folder;

  @Test
  void an_account_is_asked_without_what_it_remembers_and_what_is_good_once_is_not_used()
      throws IOException {
    try (FakePlatform platform = FakePlatform.start()) {
      platform.otherwise(
          request ->
              request.path().endsWith("/v2/bot/info")
                  ? Reply.json(200, "{\"userId\": \"U1\", \"displayName\": \"Shop\"}")
                  : Reply.json(200, "{\"type\": \"none\", \"totalUsage\": 0}"));
      Path config =
          Files.writeString(
              folder.resolve("postrider.yaml"),
              """
              store: "sqlite:%s/postrider.db"
              accounts:
                - { id: shop, channel: line, token: abc, baseUrl: "%s" }
                - { id: oa, channel: zalo, appId: "1", appSecret: abc, refreshToken: r0,
                    baseUrl: "%s", oauthUrl: "%s" }
              """
                  .formatted(folder, platform.baseUrl(), platform.baseUrl(), platform.baseUrl()));
      Shell shell = new Shell();
      shell.run("doctor", "--config", config.toString(), "--url", "http://127.0.0.1:1");

      assertThat(shell.out).contains("ok   account        shop is healthy (Shop");
      assertThat(shell.out).contains("ok   account        oa was not asked: ");
      assertThat(platform.requests())
          .allSatisfy(request -> assertThat(request.path()).doesNotContain("access_token"));
    }
  }
}
