import dev.postrider.Postrider;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.PostriderConfig;
import dev.postrider.message.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Sends a message and says what became of it. */
final class Consumer {
  private Consumer() {}

  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory(Path.of("target"), "data");
    PostriderConfig config =
        PostriderConfig.store("sqlite:" + folder.resolve("outbox.db"))
            .account(AccountConfig.of("play", "sandbox"));
    try (Postrider postrider = Postrider.open(config)) {
      Message message = Message.to("play", "ann").text("Good day").build();
      System.out.println(
          postrider.send(message).await(Duration.ofMinutes(1)).status().name().toLowerCase());
    }
  }
}
