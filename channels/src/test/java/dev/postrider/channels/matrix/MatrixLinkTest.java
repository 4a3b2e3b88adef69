package dev.postrider.channels.matrix;

import static dev.postrider.channels.matrix.FakeHomeserver.error;
import static dev.postrider.channels.matrix.FakeHomeserver.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.UploadResult;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class MatrixLinkTest {
  private static final String TOKEN = "syt-very-secret";
  private static final String ROOMS = "/_matrix/client/v3/rooms/";

  private final FakeHomeserver server = new FakeHomeserver();
  private final AccountConfig config =
      AccountConfig.of("mx", "matrix")
          .set("plainInEncryptedRooms", true)
          .set("token", TOKEN)
          .set("baseUrl", server.platform.baseUrl() + "/")
          .set("timeout", "5m");
  private final TestAccount account = TestAccount.of(config);
  private final Link link = new MatrixChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    server.close();
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

  private static PartFile bytes() {
    Attachment file =
        new Attachment(
            "media:" + "a".repeat(64), MediaKind.IMAGE, "bär 1.png", "image/png", 4, false, false);
    return new PartFile(file, null, new Held("bild".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void a_part_is_put_under_its_key() throws Exception {
    Dispatch part = account.part("!a/b:example.org", "hello");

    assertThat(link.send(part)).isEqualTo(Outcome.delivered("$1"));

    Request request = server.platform.onlyRequest();
    assertThat(request.path())
        .isEqualTo(ROOMS + "%21a%2Fb%3Aexample.org/send/m.room.message/" + part.key());
    assertThat(request.headers()).containsEntry("authorization", "Bearer " + TOKEN);
    assertThat(part.key()).matches("[0-9a-f]{32}");
  }

  static List<Reply> repliesThatLoseTheVerdict() {
    return List.of(
        new Reply.HangUp(),
        new Reply.Reset(),
        new Reply.HalfAnswer(Reply.json(200, "{\"event_id\":\"$1\"}")),
        Reply.json(200, "{}"),
        Reply.html(502, "<h1>Bad Gateway</h1>"),
        error(500, "M_UNKNOWN"));
  }

  @ParameterizedTest
  @MethodSource("repliesThatLoseTheVerdict")
  void a_repeat_after_a_lost_verdict_is_recognised(Reply reply) throws Exception {
    Dispatch part = account.part("!r:example.org", "hello");
    link.send(part);
    server.platform.answer(reply);

    assertThat(link.send(part)).isInstanceOf(Outcome.Unknown.class);
    assertThat(link.send(part)).isEqualTo(Outcome.delivered("$1"));
    assertThat(server.events).hasSize(1);
  }

  @Test
  void an_alias_is_looked_up_once() throws Exception {
    server.answer("/directory/room/", "alias", "{'room_id':'!r:x','servers':['x']}");

    link.send(account.part("#town:x", "one"));
    link.send(account.part("#town:x", "two"));

    assertThat(server.paths().getFirst())
        .isEqualTo("/_matrix/client/v3/directory/room/%23town%3Ax");
    assertThat(server.paths().subList(1, 3)).allMatch(path -> path.startsWith(ROOMS + "%21r%3Ax/"));
    assertThat(server.paths()).hasSize(3);
  }

  @Test
  void an_alias_that_leads_to_a_closed_room_is_looked_up_again() throws Exception {
    server.platform.answer(
        ok("alias", "{'room_id':'!old:x'}"),
        error(403, "M_FORBIDDEN"),
        ok("alias", "{'room_id':'!new:x'}"));

    assertThat(link.send(account.part("#town:x", "one")))
        .isEqualTo(new Outcome.Rejected(Blame.TARGET, "M_FORBIDDEN Oops"));
    link.send(account.part("#town:x", "two"));

    assertThat(server.paths().getLast()).startsWith(ROOMS + "%21new%3Ax/");
  }

  @Test
  void an_alias_that_cannot_be_looked_up_leaves_no_doubt() throws Exception {
    server.platform.answer(
        error(404, "M_NOT_FOUND"),
        Reply.html(502, "Bad Gateway"),
        Reply.json(200, "{}"),
        error(429, "M_LIMIT_EXCEEDED"));

    assertThat(link.send(account.part("#town:x", "one")))
        .isEqualTo(new Outcome.Rejected(Blame.TARGET, "M_NOT_FOUND Oops"));
    assertThat(link.send(account.part("#town:x", "one"))).isInstanceOf(Outcome.NotSent.class);
    assertThat(link.send(account.part("#town:x", "one"))).isInstanceOf(Outcome.NotSent.class);
    assertThat(link.send(account.part("#town:x", "one"))).isInstanceOf(Outcome.Throttled.class);
    assertThat(server.events).isEmpty();
  }

  @Test
  void bytes_are_uploaded_as_they_are_and_named_from_then_on() throws Exception {
    server.answer("/upload", "uploaded", "{'content_uri':'mxc://example.org/AQ'}");

    assertThat(link.upload(bytes()))
        .isEqualTo(new UploadResult.Done(FileHandle.of("mxc://example.org/AQ")));

    Request request = server.platform.onlyRequest();
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.path()).isEqualTo("/_matrix/media/v3/upload?filename=b%C3%A4r%201.png");
    assertThat(request.headers()).containsEntry("content-type", "image/png");
    assertThat(request.text()).isEqualTo("bild");
  }

  @Test
  void a_picture_is_sent_with_its_width_and_height_whenever_it_is_named() throws Exception {
    server.answer("/upload", "uploaded", "{'content_uri':'mxc://example.org/AQ'}");
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(640, 300, BufferedImage.TYPE_INT_RGB), "png", png);
    PartFile picture = new PartFile(bytes().attachment(), null, new Held(png.toByteArray()));

    FileHandle handle = ((UploadResult.Done) link.upload(picture)).handle();
    PartFile known = new PartFile(bytes().attachment(), handle, null);
    link.send(account.part("!r:x", "look").carrying(List.of(known)));

    JsonNode event = server.events.values().iterator().next();
    assertThat(event.path("url").asString()).isEqualTo("mxc://example.org/AQ");
    assertThat(event.at("/info/w").asInt()).isEqualTo(640);
    assertThat(event.at("/info/h").asInt()).isEqualTo(300);
    assertThat(event.at("/info/mimetype").asString()).isEqualTo("image/png");
    assertThat(event.at("/info/size").asInt()).isEqualTo(4);
  }

  @Test
  void a_handle_is_sent_instead_of_the_bytes() throws Exception {
    PartFile known =
        new PartFile(bytes().attachment(), FileHandle.of("mxc://example.org/AQ"), null);

    assertThat(link.send(account.part("!r:x", "look").carrying(List.of(known))))
        .isEqualTo(Outcome.delivered("$1"));

    assertThat(server.events.values())
        .singleElement()
        .satisfies(
            event -> assertThat(event.path("url").asString()).isEqualTo("mxc://example.org/AQ"));
  }

  static List<Reply> repliesThatLoseTheUpload() {
    return List.of(new Reply.HangUp(), Reply.html(502, "Bad Gateway"), Reply.json(200, "{}"));
  }

  @ParameterizedTest
  @MethodSource("repliesThatLoseTheUpload")
  void an_upload_without_a_verdict_leaves_no_doubt_about_the_part(Reply reply) throws Exception {
    server.platform.answer(reply);
    assertThat(link.upload(bytes()))
        .isInstanceOfSatisfying(
            UploadResult.Failed.class,
            it -> assertThat(it.outcome()).isInstanceOf(Outcome.NotSent.class));
  }

  @Test
  void an_upload_that_is_too_large_is_the_messages_fault() throws Exception {
    server.platform.answer(error(413, "M_TOO_LARGE"));
    assertThat(link.upload(bytes()))
        .isEqualTo(
            new UploadResult.Failed(new Outcome.Rejected(Blame.MESSAGE, "M_TOO_LARGE Oops")));
  }

  @Test
  void what_slipped_through_the_check_is_rejected_without_asking() throws Exception {
    Dispatch part = account.part(Message.to("mx", "!r:x").channelData(Map.of("body", "x")));
    assertThat(link.send(part)).isInstanceOf(Outcome.Rejected.class);
    assertThat(server.platform.requests()).isEmpty();
  }

  @Test
  void a_probe_names_the_user() throws Exception {
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("@bot:example.org"));
    assertThat(server.paths()).containsExactly("/_matrix/client/v3/account/whoami");
  }

  @Test
  void a_probe_tells_a_refused_user_from_an_unreachable_server() throws Exception {
    server.platform.answer(error(401, "M_UNKNOWN_TOKEN"), Reply.html(502, "Bad Gateway"));
    assertThat(link.probe()).isEqualTo(new Probe.Broken("M_UNKNOWN_TOKEN Oops"));
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
    server.close();
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
  }

  @Test
  void the_token_is_in_no_outcome() throws Exception {
    for (Reply reply :
        List.of(
            Reply.json(400, "{\"errcode\":\"M_UNKNOWN\",\"error\":\"Bearer " + TOKEN + "\"}"),
            Reply.html(404, TOKEN),
            Reply.text(302, "text/plain", TOKEN))) {
      server.platform.answer(reply, reply, reply);
      assertThat(link.send(account.part("!r:x", "x")).toString()).doesNotContain("very-secret");
      assertThat(link.probe().toString()).doesNotContain("very-secret");
      assertThat(link.upload(bytes()).toString()).doesNotContain("very-secret");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"matrix.org", "ftp://x", "http://", "no url"})
  void a_useless_address_is_refused(String base) {
    assertThatThrownBy(() -> new MatrixChannel().open(TestAccount.of(config.set("baseUrl", base))))
        .hasMessageStartingWith("account mx: baseUrl is not an address");
  }

  @Test
  void it_listens_only_if_it_is_told_to() {
    assertThat(link.listens()).isFalse();
    try (Link other = new MatrixChannel().open(TestAccount.of(config.set("sync", true)))) {
      assertThat(other.listens()).isTrue();
    }
  }
}
