package dev.postrider.channels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.UploadResult;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What a channel makes of a platform that misbehaves while it is given a file: the part that needs
 * the file was not sent, whatever became of its bytes. After every fault the link must still work.
 */
public abstract class UploadFaultMatrix {
  protected final FakePlatform platform = FakePlatform.start();

  @AfterEach
  void end() {
    platform.close();
  }

  protected abstract Channel channel();

  /** An account whose requests go to this address. */
  protected abstract AccountConfig account(String baseUrl);

  /** How the platform says that it took the file. */
  protected abstract Reply.Answer success();

  /** Answers with status 2xx that are failures all the same, or say nothing that can be trusted. */
  protected List<Reply> hollowSuccesses() {
    return List.of(
        Reply.html(200, "<h1>Welcome to our hotel</h1>"),
        Reply.json(200, "{\"ok\":tr"),
        new Reply.HalfAnswer(success()));
  }

  /** A picture of our own. */
  public static PartFile file() {
    byte[] bytes = "bytes of a picture".getBytes(StandardCharsets.UTF_8);
    Attachment image =
        new Attachment("held:1", MediaKind.IMAGE, "a.png", "image/png", bytes.length, false, false);
    return new PartFile(
        image,
        null,
        new PartFile.Bytes() {
          @Override
          public long size() {
            return bytes.length;
          }

          @Override
          public InputStream open() {
            return new ByteArrayInputStream(bytes);
          }
        });
  }

  private Outcome upload(String timeout, Reply... replies) throws Exception {
    TestAccount account = TestAccount.of(account(platform.baseUrl()).set("timeout", timeout));
    try (Link link = channel().open(account)) {
      platform.answer(replies);
      UploadResult result = link.upload(file());
      platform.answer(success());
      assertThat(link.upload(file()))
          .as("the next file after %s", result)
          .isInstanceOf(UploadResult.Done.class);
      assertThat(result).isInstanceOf(UploadResult.Failed.class);
      return ((UploadResult.Failed) result).outcome();
    }
  }

  @Test
  void a_refused_connection_is_an_outage() throws Exception {
    TestAccount account = TestAccount.of(account("http://127.0.0.1:1"));
    try (Link link = channel().open(account)) {
      assertThat(link.upload(file()))
          .isInstanceOfSatisfying(
              UploadResult.Failed.class,
              it -> assertThat(it.outcome()).isInstanceOf(Outcome.Unreachable.class));
    }
  }

  @TestFactory
  Stream<DynamicTest> without_an_answer_that_can_be_trusted_the_part_was_not_sent() {
    Stream<Reply> none = Stream.of(new Reply.HangUp(), new Reply.Reset(), new Reply.Silence());
    Stream<Reply> errors =
        Stream.of(500, 502, 504).map(status -> Reply.html(status, "<h1>Oops</h1>"));
    return Stream.of(none, errors, hollowSuccesses().stream())
        .flatMap(each -> each)
        .map(
            reply ->
                DynamicTest.dynamicTest(
                    reply.toString(),
                    () ->
                        assertThat(upload(reply instanceof Reply.Silence ? "1s" : "10s", reply))
                            .isInstanceOf(Outcome.NotSent.class)));
  }

  @Test
  void a_429_with_seconds_is_honoured_in_full() throws Exception {
    assertThat(upload("10s", Reply.html(429, "slow down").header("Retry-After", "6775")))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            it -> assertThat(it.delay()).isEqualTo(Duration.ofSeconds(6775)));
  }

  @Test
  void a_redirect_is_not_followed() throws Exception {
    upload("10s", Reply.text(302, "text/plain", "").header("Location", platform.baseUrl() + "/x"));
    assertThat(platform.requests()).noneMatch(request -> request.path().equals("/x"));
  }
}
