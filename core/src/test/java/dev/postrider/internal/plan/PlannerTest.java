package dev.postrider.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.channel.MediaRules.Rule;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.TextLimit.Unit;
import dev.postrider.channel.VerbatimDialect;
import dev.postrider.message.Attachment;
import dev.postrider.message.Format;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.problem.InvalidInput;
import dev.postrider.store.media.Blob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of text and files together. How text is cut is the dialect's business. */
class PlannerTest {
  private static final MessageId ID = new MessageId(new UUID(1, 2));

  private static final MediaRules RULES =
      new MediaRules(
          Map.of(
              MediaKind.IMAGE,
              new Rule(Set.of("image/jpeg", "image/png"), 100, true),
              MediaKind.VIDEO,
              new Rule(Set.of("video/mp4", "image/gif"), 500, true),
              MediaKind.AUDIO,
              new Rule(Set.of("audio/mpeg"), 500, true),
              MediaKind.VOICE,
              new Rule(Set.of("audio/ogg"), 500, true),
              MediaKind.DOCUMENT,
              new Rule(Set.of(), 500, true)),
          TextLimit.of(10, Unit.UTF16),
          3,
          List.of(Set.of(MediaKind.IMAGE, MediaKind.VIDEO), Set.of(MediaKind.DOCUMENT)),
          true,
          false,
          Reuse.NONE);

  private static final Capabilities RICH =
      Capabilities.of(new VerbatimDialect(), TextLimit.of(20, Unit.UTF16)).withMedia(RULES);
  private static final Capabilities TEXT_ONLY =
      Capabilities.of(new VerbatimDialect(), TextLimit.of(200, Unit.UTF16));

  private final Map<String, Blob> custody = new HashMap<>();

  private Media held(String type, long size) {
    String hash = "%064d".formatted(custody.size());
    custody.put(hash, new Blob(hash, size, type));
    return Media.held(hash);
  }

  private List<Part> plan(Message.Builder message, Capabilities channel) {
    return Planner.plan(
            ID, message.build(), channel, hash -> Optional.ofNullable(custody.get(hash)))
        .parts();
  }

  private InvalidInput refused(Message.Builder message, Capabilities channel) {
    return catchThrowableOfType(InvalidInput.class, () -> plan(message, channel));
  }

  private static Message.Builder message(Media... media) {
    return Message.to("bot", "ann").media(List.of(media));
  }

  private static List<List<MediaKind>> kinds(List<Part> parts) {
    return parts.stream()
        .map(part -> part.media().stream().map(Attachment::kind).toList())
        .toList();
  }

  // ---- captions

  @Test
  void a_short_text_rides_on_the_first_file_only() {
    List<Part> parts =
        plan(message(held("image/png", 9), held("audio/mpeg", 9)).text("short"), RICH);

    assertThat(kinds(parts)).containsExactly(List.of(MediaKind.IMAGE), List.of(MediaKind.AUDIO));
    assertThat(parts).extracting(Part::text).containsExactly("short", null);
  }

  @Test
  void a_text_too_long_for_a_caption_follows_the_files() {
    List<Part> parts = plan(message(held("image/png", 9)).text("longer than that"), RICH);

    assertThat(parts).extracting(Part::text).containsExactly(null, "longer than that");
  }

  @Test
  void a_channel_without_captions_gets_the_text_after_the_file() {
    MediaRules none =
        new MediaRules(RULES.kinds(), null, 3, RULES.together(), true, true, Reuse.NONE);

    List<Part> parts = plan(message(held("image/png", 9)).text("short"), RICH.withMedia(none));

    assertThat(parts).extracting(Part::text).containsExactly(null, "short");
  }

  @Test
  void a_text_follows_a_file_of_a_kind_that_takes_none() {
    Map<MediaKind, Rule> kinds = new HashMap<>(RULES.kinds());
    kinds.computeIfPresent(MediaKind.AUDIO, (_, rule) -> rule.uncaptioned());
    MediaRules rules =
        new MediaRules(kinds, RULES.caption(), 3, RULES.together(), true, false, RULES.reuse())
            .upTo(400);
    Capabilities channel = RICH.withMedia(rules);

    assertThat(plan(message(held("audio/mpeg", 9)).text("short"), channel))
        .extracting(Part::text)
        .containsExactly(null, "short");
    assertThat(plan(message(held("image/png", 9)).text("short"), channel))
        .extracting(Part::text)
        .containsExactly("short");
  }

  @Test
  void a_caption_in_native_markup_must_fit_as_it_is() {
    List<Part> parts =
        plan(message(held("image/png", 9)).text("<b>ten</b> 11").format(Format.NATIVE), RICH);

    assertThat(parts).extracting(Part::text).containsExactly(null, "<b>ten</b> 11");
  }

  // ---- albums

  @Test
  void files_that_go_together_go_as_albums_in_their_order() {
    List<Part> parts =
        plan(
            message(
                held("image/png", 9),
                held("video/mp4", 9),
                held("application/pdf", 9),
                held("application/zip", 9),
                held("image/png", 9),
                held("image/png", 9),
                held("image/png", 9),
                held("image/png", 9)),
            RICH);

    assertThat(kinds(parts))
        .containsExactly(
            List.of(MediaKind.IMAGE, MediaKind.VIDEO),
            List.of(MediaKind.DOCUMENT, MediaKind.DOCUMENT),
            List.of(MediaKind.IMAGE, MediaKind.IMAGE, MediaKind.IMAGE),
            List.of(MediaKind.IMAGE));
  }

  @Test
  void an_album_is_no_larger_than_a_request_may_be() {
    Capabilities channel = RICH.withMedia(totalling(1_000));
    Media page = Media.at("https://example.org/a.pdf"); // may be as large as the 500 allowed

    assertThat(
            kinds(
                plan(
                    message(
                        held("application/pdf", 500),
                        held("application/pdf", 300),
                        held("application/pdf", 201),
                        held("application/pdf", 1)),
                    channel)))
        .containsExactly(
            List.of(MediaKind.DOCUMENT, MediaKind.DOCUMENT),
            List.of(MediaKind.DOCUMENT, MediaKind.DOCUMENT));
    assertThat(kinds(plan(message(page, page, page), channel)))
        .containsExactly(
            List.of(MediaKind.DOCUMENT, MediaKind.DOCUMENT), List.of(MediaKind.DOCUMENT));
    assertThat(kinds(plan(message(page), RICH.withMedia(totalling(100).upTo(200)))))
        .containsExactly(List.of(MediaKind.DOCUMENT));
  }

  private static MediaRules totalling(long bytes) {
    return new MediaRules(
        RULES.kinds(), RULES.caption(), 3, RULES.together(), true, false, Reuse.NONE, bytes);
  }

  @Test
  void sounds_and_moving_pictures_go_alone() {
    List<Part> parts =
        plan(
            message(
                held("audio/mpeg", 9),
                held("audio/mpeg", 9),
                held("image/png", 9),
                held("video/mp4", 9).looping()),
            RICH);

    assertThat(parts).hasSize(4);
    assertThat(parts.getLast().media().getFirst().loop()).isTrue();
  }

  @Test
  void channel_data_that_cannot_ride_on_an_album_rides_on_the_text_behind_it() {
    Message.Builder album =
        message(held("image/png", 9), held("image/png", 9)).channelData(Map.of("buttons", 1));

    List<Part> parts = plan(album.text("short"), RICH);

    assertThat(parts).extracting(Part::text).containsExactly(null, "short");
    assertThat(refused(album.text(null), RICH).field()).isEqualTo("channelData");
  }

  // ---- what a file is

  @Test
  void the_bytes_and_not_the_label_say_what_a_file_is() {
    List<Part> parts =
        plan(
            message(
                held("image/heic", 9).named("a.jpg").ofKind(MediaKind.IMAGE),
                held("audio/mpeg", 9).ofKind(MediaKind.VIDEO),
                held("text/plain", 9).ofKind(MediaKind.IMAGE)),
            RICH);

    assertThat(parts.stream().flatMap(part -> part.media().stream()).map(Attachment::kind))
        .containsExactly(MediaKind.DOCUMENT, MediaKind.AUDIO, MediaKind.DOCUMENT);
  }

  @Test
  void only_the_sender_knows_what_is_speech() {
    assertThat(kinds(plan(message(held("audio/ogg", 9).ofKind(MediaKind.VOICE)), RICH)))
        .containsExactly(List.of(MediaKind.VOICE));
    assertThat(kinds(plan(message(held("audio/ogg", 9)), RICH)))
        .containsExactly(List.of(MediaKind.DOCUMENT));
  }

  @Test
  void what_is_too_large_for_its_kind_is_a_document() {
    assertThat(kinds(plan(message(held("image/png", 101)), RICH)))
        .containsExactly(List.of(MediaKind.DOCUMENT));
  }

  @Test
  void what_is_too_large_for_the_channel_is_refused_with_the_remedy() {
    InvalidInput refused = refused(message(held("image/png", 501)), RICH);

    assertThat(refused.field()).isEqualTo("media[0]");
    assertThat(refused).hasMessageContaining("501").hasMessageContaining("500");
    assertThat(refused).hasMessageContaining("give an address");
  }

  @Test
  void a_sender_can_insist_on_a_document() {
    List<Part> parts = plan(message(held("image/png", 9).sentAsDocument()), RICH);

    assertThat(kinds(parts)).containsExactly(List.of(MediaKind.DOCUMENT));
    assertThat(parts.getFirst().media().getFirst().asDocument()).isTrue();
  }

  @Test
  void a_gif_moves_where_the_platform_shows_it_as_a_looping_video() {
    Attachment gif = plan(message(held("image/gif", 9)), RICH).getFirst().media().getFirst();

    assertThat(gif.kind()).isEqualTo(MediaKind.VIDEO);
    assertThat(gif.loop()).isTrue();
  }

  @Test
  void an_address_is_taken_for_what_it_is_called() {
    List<Part> parts =
        plan(
            message(
                Media.at("https://example.org/a.jpg"),
                Media.at("https://example.org/a.gif"),
                Media.at("https://example.org/download"),
                Media.at("https://example.org/photo").ofKind(MediaKind.IMAGE)),
            RICH);

    assertThat(parts.stream().flatMap(part -> part.media().stream()).map(Attachment::kind))
        .containsExactly(MediaKind.IMAGE, MediaKind.VIDEO, MediaKind.DOCUMENT, MediaKind.IMAGE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "ftp://example.org/a",
        "javascript:alert(1)",
        "//example.org/a",
        "https:///a",
        "https://exa mple.org/",
        "a.jpg",
        ""
      })
  void only_the_web_is_open_to_everybody(String url) {
    assertThat(refused(message(Media.at(url)), RICH).field()).isEqualTo("media[0].url");
  }

  @Test
  void what_is_not_in_custody_is_refused_by_its_place() {
    InvalidInput refused = refused(message(held("image/png", 9), Media.held("f".repeat(64))), RICH);

    assertThat(refused.field()).isEqualTo("media[1].url");
  }

  @Test
  void more_files_than_anybody_looks_at_are_refused() {
    Media[] many = new Media[101];
    java.util.Arrays.fill(many, Media.at("https://example.org/a.jpg"));

    assertThat(refused(message(many), RICH).field()).isEqualTo("media");
  }

  // ---- links

  @Test
  void a_channel_without_files_gets_text_with_links() {
    Message.Builder message =
        message(
                Media.at("https://example.org/a.jpg"),
                Media.at("https://example.org/b.pdf").named("The [plan].pdf"))
            .text("Look:");

    assertThat(plan(message, TEXT_ONLY))
        .containsExactly(
            Part.plain(
                """
                Look:

                <https://example.org/a.jpg>\\
                [The \\[plan\\]\\.pdf](<https://example.org/b.pdf>)"""));
    assertThat(plan(message.format(Format.PLAIN), TEXT_ONLY))
        .containsExactly(
            Part.plain(
                """
                Look:
                https://example.org/a.jpg
                The [plan].pdf: https://example.org/b.pdf"""));
    assertThat(plan(message.format(Format.NATIVE), TEXT_ONLY))
        .extracting(Part::text)
        .containsExactly(
            "Look:", "https://example.org/a.jpg\nThe [plan].pdf: https://example.org/b.pdf");
  }

  @Test
  void a_channel_without_files_refuses_bytes_with_the_remedy() {
    assertThat(refused(message(held("image/png", 9)), TEXT_ONLY))
        .hasMessageContaining("carries no files")
        .hasMessageContaining("give an address");
  }

  // ---- text

  @Test
  void native_markup_that_is_too_long_is_refused_since_it_cannot_be_cut() {
    Message.Builder message = Message.to("bot", "ann").text("x".repeat(21)).format(Format.NATIVE);

    assertThat(refused(message, RICH)).hasMessageContaining("native markup cannot be cut");
  }

  @Test
  void channel_data_alone_is_a_part() {
    assertThat(plan(Message.to("bot", "ann").channelData(Map.of("a", 1)), RICH))
        .containsExactly(Part.bare());
  }

  @Test
  void the_plan_names_the_bytes_it_needs_once_each() {
    Media twice = held("image/png", 9);
    Message message = message(twice, twice, held("application/pdf", 9)).build();

    assertThat(
            Planner.plan(ID, message, RICH, hash -> Optional.ofNullable(custody.get(hash)))
                .hashes())
        .containsExactlyElementsOf(custody.keySet().stream().sorted().toList());
  }
}
