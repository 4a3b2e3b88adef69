package dev.postrider.channels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.config.AccountConfig;
import dev.postrider.problem.InvalidInput;
import dev.postrider.testkit.platform.Reply;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The channel of docs/adding-a-channel.md, compiled as it stands there. */
class AddingAChannelTest extends FaultMatrix {
  private static final Pattern CODE = Pattern.compile("(?s)```java\n(.*?)```");

  private static Channel channel;

  @BeforeAll
  static void compileThePage(@TempDir Path classes) throws Exception {
    Matcher code = CODE.matcher(Files.readString(Path.of("..", "docs", "adding-a-channel.md")));
    assertThat(code.find()).isTrue();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                said,
                null,
                null,
                List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path")),
                null,
                List.of(new Source(code.group(1))))
            .call();
    assertThat(compiled).as("%s", said).isTrue();
    URLClassLoader loader =
        new URLClassLoader(
            new URL[] {classes.toUri().toURL()}, AddingAChannelTest.class.getClassLoader());
    channel =
        (Channel)
            loader.loadClass("com.example.ntfy.NtfyChannel").getDeclaredConstructor().newInstance();
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///com/example/ntfy/NtfyChannel.java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreErrors) {
      return text;
    }
  }

  @Override
  protected Channel channel() {
    return channel;
  }

  @Override
  protected AccountConfig account(String baseUrl) {
    return AccountConfig.of("alerts", "ntfy").set("baseUrl", baseUrl).set("token", "tk_secret");
  }

  @Override
  protected Dispatch part(TestAccount account) {
    return account.part("news", "hello");
  }

  @Override
  protected Reply.Answer success() {
    return Reply.json(200, "{\"id\":\"sPs71M8A2T\",\"event\":\"message\"}");
  }

  @Test
  void it_sends_to_the_topic_and_gives_its_receipt() throws Exception {
    platform.answer(success());
    TestAccount account = TestAccount.of(account(platform.baseUrl()));
    try (var link = channel.open(account)) {
      assertThat(link.send(account.part("news", "hello")))
          .isEqualTo(Outcome.delivered("sPs71M8A2T"));
    }
    assertThat(platform.onlyRequest().path()).isEqualTo("/news");
    assertThat(platform.onlyRequest().text()).isEqualTo("hello");
    assertThat(platform.onlyRequest().headers()).containsEntry("authorization", "Bearer tk_secret");
  }

  @Test
  void a_refusal_names_who_is_to_blame_and_no_secret() throws Exception {
    TestAccount account = TestAccount.of(account(platform.baseUrl()));
    platform.answer(Reply.json(403, "{\"error\":\"forbidden for tk_secret\"}"));
    try (var link = channel.open(account)) {
      Outcome outcome = link.send(account.part("news", "hello"));
      assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
      assertThat(outcome.toString()).doesNotContain("tk_secret");
    }
  }

  @Test
  void what_cannot_be_a_topic_is_refused_when_it_is_handed_in() {
    AccountConfig account = account("https://ntfy.example");
    assertThat(channel.canonical(account, " news ")).isEqualTo("news");
    assertThatThrownBy(() -> channel.canonical(account, "news?x"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("is no topic");
  }
}
