package dev.postrider.channels.mattermost;

import static dev.postrider.channels.mattermost.FakeMattermost.TOKEN;
import static dev.postrider.channels.mattermost.FakeMattermost.TOWN;
import static dev.postrider.channels.mattermost.FakeMattermost.error;
import static dev.postrider.channels.mattermost.FakeMattermost.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Plan;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Files are uploaded for one post, and shown with it. */
class MattermostFilesTest {
  private static final String HELD = "media:" + "a".repeat(64);
  private static final String WEB = "https://x.example/cat.png";

  private final StillTime time = new StillTime();
  private final FakeMattermost mattermost = new FakeMattermost(time);
  private final AccountConfig config =
      AccountConfig.of("mm", "mattermost")
          .set("token", TOKEN)
          .set("baseUrl", mattermost.platform.baseUrl())
          .set("timeout", "5m");
  private final TestAccount account = new TestAccount(config, time, new ArrayList<>());
  private final Link link = new MattermostChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    mattermost.close();
  }

  private record Held(byte[] content) implements PartFile.Bytes {
    @Override
    public long size() {
      return content.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(content);
    }
  }

  /** A part that plans to carry these files, and carries them. */
  private Dispatch carrying(String url, String... names) {
    List<PartFile> files =
        Stream.of(names)
            .map(
                name ->
                    new PartFile(
                        new Attachment(url, MediaKind.IMAGE, name, "image/png", 4, false, false),
                        null,
                        new Held(name.getBytes(java.nio.charset.StandardCharsets.UTF_8))))
            .toList();
    Dispatch part = account.part(TOWN, "look");
    var whole = part.part().with(files.stream().map(PartFile::attachment).toList());
    return new Dispatch(
        part.id(), part.message(), new Plan(part.id(), List.of(whole)), 0, part.state(), files);
  }

  @Test
  void files_are_uploaded_one_by_one_and_shown_in_one_post() throws Exception {
    assertThat(link.send(carrying(HELD, "a.png", "b.png")))
        .isEqualTo(Outcome.delivered(id("post1x")));
    assertThat(mattermost.platform.requests())
        .extracting(Request::path)
        .containsExactly("/api/v4/files", "/api/v4/files", "/api/v4/posts");
    assertThat(mattermost.files.values())
        .extracting(file -> new String(file.bytes(), java.nio.charset.StandardCharsets.UTF_8))
        .containsExactly("a.png", "b.png");
    String first = mattermost.platform.requests().getFirst().text();
    assertThat(first.indexOf("name=\"channel_id\""))
        .as("the channel stands before the file")
        .isPositive()
        .isLessThan(first.indexOf("name=\"files\""));
    JsonNode post = mattermost.calls("/posts").getFirst();
    assertThat(post.path("file_ids").valueStream().map(JsonNode::asString))
        .containsExactly(id("file1"), id("file2"));
    assertThat(post.path("message").asString()).isEqualTo("look");
  }

  @Test
  void the_same_bytes_are_uploaded_anew_for_the_next_post() throws Exception {
    link.send(carrying(HELD, "a.png"));
    assertThat(link.send(carrying(HELD, "a.png"))).isEqualTo(Outcome.delivered(id("post2x")));
    assertThat(mattermost.files).hasSize(2);
  }

  @Test
  void a_repeat_within_the_window_shows_the_files_once() throws Exception {
    Dispatch part = carrying(HELD, "a.png");
    Outcome first = link.send(part);
    assertThat(link.send(part)).isEqualTo(first);
    assertThat(mattermost.posts).hasSize(1);
  }

  @Test
  void a_post_that_shows_fewer_files_says_so() throws Exception {
    Dispatch part = carrying(HELD, "a.png", "b.png");
    mattermost.platform.answer(
        FakeMattermost.json(
            201, java.util.Map.of("file_infos", List.of(java.util.Map.of("id", id("x"))))));
    assertThat(link.send(part))
        .isInstanceOfSatisfying(
            Outcome.Delivered.class,
            it -> assertThat(it.note()).isEqualTo("Mattermost shows 1 of 2 files"));
  }

  @Test
  void an_upload_that_got_lost_was_not_sent() throws Exception {
    for (Reply lost :
        List.of(
            new Reply.HangUp(),
            Reply.html(502, "<h1>Oops</h1>"),
            Reply.json(201, "{\"file_infos\":[]}"),
            error(500, "app.file_info.save.app_error"))) {
      mattermost.platform.answer(lost);
      assertThat(link.send(carrying(HELD, "a.png")))
          .as(lost.toString())
          .isInstanceOf(Outcome.NotSent.class);
    }
    assertThat(mattermost.posts).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "403, api.file.attachments.disabled.app_error",
    "403, api.file.upload_file.abac_denied.app_error",
    "501, api.file.upload_file.storage.app_error",
    "413, api.file.upload_file.too_large.app_error",
    "413, api.file.upload_file.too_large_detailed.app_error",
    "400, api.file.upload_file.large_image.app_error",
    "400, api.file.upload_file.large_image_detailed.app_error",
  })
  void a_file_that_is_not_taken_goes_out_as_its_address_if_it_has_one(int status, String id)
      throws Exception {
    mattermost.platform.answer(error(status, id), error(status, id));
    assertThat(link.send(carrying(WEB, "a.png")))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.LinkInstead()));
    assertThat(link.send(carrying(HELD, "a.png")))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.blame()).isEqualTo(Blame.MESSAGE));
  }

  @Test
  void five_files_share_a_post_unless_the_account_says_otherwise() {
    assertThat(new MattermostChannel().capabilities(config).media().album()).isEqualTo(5);
    assertThat(new MattermostChannel().capabilities(config.set("filesPerPost", 10)).media().album())
        .isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "11", "many"})
  void a_number_of_files_that_no_post_has_is_refused(String wrong) {
    assertThatThrownBy(
            () -> new MattermostChannel().capabilities(config.set("filesPerPost", wrong)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("filesPerPost");
  }
}
