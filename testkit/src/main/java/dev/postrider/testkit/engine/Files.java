package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.channel.MediaRules.Rule;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channel.UploadResult;
import dev.postrider.config.ContentSettings;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Split;
import dev.postrider.media.Fetcher;
import dev.postrider.message.Fix;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.store.media.Blob;
import dev.postrider.testkit.engine.FakeChannel.Request;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files from whoever hands them in to the platform, each brought there once. */
public abstract class Files extends EngineBehaviour {
  private static final byte[] PNG = png("a picture");
  private static final String ADDRESS = "https://example.org/cat.png";

  @BeforeEach
  void steady() {
    steadyBackoff();
  }

  private static byte[] png(String rest) {
    return ("\u0089PNG\r\n\u001a\n" + rest).getBytes(StandardCharsets.ISO_8859_1);
  }

  private static MediaRules rules(Reuse reuse, boolean byUrl) {
    Rule rule = new Rule(Set.of(), 1000, byUrl);
    return new MediaRules(
        Arrays.stream(MediaKind.values()).collect(Collectors.toMap(Function.identity(), _ -> rule)),
        TextLimit.of(100, TextLimit.Unit.UTF16),
        10,
        List.of(Set.of(MediaKind.IMAGE, MediaKind.VIDEO), Set.of(MediaKind.DOCUMENT)),
        true,
        true,
        reuse);
  }

  private void start(Reuse reuse, boolean byUrl) {
    world.platform.media(rules(reuse, byUrl));
    world.start();
  }

  private Blob hold(byte[] bytes) {
    try {
      return world.postrider().hold(new ByteArrayInputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Delivery sendPicture(String chat, Blob blob) {
    return world.send(picture(chat, blob));
  }

  private static Message.Builder picture(String chat, Blob blob) {
    return Message.to("bot", chat).media(List.of(Media.held(blob.hash())));
  }

  private static List<String> handles(List<Request> requests) {
    return requests.stream()
        .flatMap(request -> request.cargo().stream())
        .map(cargo -> cargo.handle() == null ? "bytes" : cargo.handle().value())
        .toList();
  }

  private static byte[] bytes(PartFile cargo) {
    try (InputStream in =
        cargo.bytes() == null ? InputStream.nullInputStream() : cargo.bytes().open()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void the_platform_gets_the_bytes_that_were_handed_in() {
    start(Reuse.NONE, false);

    Delivery delivery = sendPicture("ann", hold(PNG));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    PartFile cargo = world.platform.requests().getFirst().cargo().getFirst();
    assertThat(bytes(cargo)).isEqualTo(PNG);
    assertThat(cargo.attachment().kind()).isEqualTo(MediaKind.IMAGE);
    assertThat(cargo.attachment().type()).isEqualTo("image/png");
  }

  @Test
  void a_data_uri_is_taken_out_of_the_message_and_into_custody() {
    start(Reuse.NONE, false);

    Delivery delivery =
        world.send(
            Message.to("bot", "ann").media(List.of(Media.at("data:text/plain;base64,aGVsbG8="))));

    String url = world.message(delivery.id()).message().media().getFirst().url();
    assertThat(url).startsWith("media:");
    PartFile cargo = world.platform.requests().getFirst().cargo().getFirst();
    assertThat(bytes(cargo)).isEqualTo("hello".getBytes(StandardCharsets.UTF_8));
    assertThat(cargo.attachment().kind()).isEqualTo(MediaKind.DOCUMENT);
  }

  @Test
  void a_local_file_may_change_or_go_once_the_message_is_accepted() throws IOException {
    start(Reuse.NONE, false);
    Path file = java.nio.file.Files.write(folder.resolve("cat.png"), PNG);
    world.postrider().pauseAccount("bot", "later");

    Delivery delivery = world.send(Message.to("bot", "ann").media(List.of(Media.file(file))));
    java.nio.file.Files.delete(file);
    world.postrider().resumeAccount("bot");
    world.time.settle();

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    PartFile cargo = world.platform.requests().getFirst().cargo().getFirst();
    assertThat(bytes(cargo)).isEqualTo(PNG);
    assertThat(cargo.attachment().filename()).isEqualTo("cat.png");
  }

  @Test
  void a_file_that_is_not_there_is_refused_by_name() {
    start(Reuse.NONE, false);

    Refused unknown =
        refusal(
            () -> world.postrider().send(picture("ann", new Blob("0".repeat(64), 1, "x")).build()));
    Refused gone =
        refusal(
            () ->
                world
                    .postrider()
                    .send(
                        Message.to("bot", "ann")
                            .media(List.of(Media.file(folder.resolve("no.png"))))
                            .build()));

    assertThat(unknown.field()).isEqualTo("media[0].url");
    assertThat(gone.field()).isEqualTo("media[0].url");
    assertThat(gone).hasMessageContaining("names no file");
  }

  @Test
  void what_the_channel_cannot_take_is_refused_at_accept() {
    start(Reuse.NONE, false);
    Blob large = hold(new byte[1001]);

    Refused refused = refusal(() -> world.postrider().send(picture("ann", large).build()));

    assertThat(refused.field()).isEqualTo("media[0]");
    assertThat(refused).hasMessageContaining("1001 bytes").hasMessageContaining("1000");
  }

  @Test
  void many_messages_bring_a_file_once_where_it_is_uploaded_on_its_own() {
    start(Reuse.BY_UPLOAD, false);
    Blob blob = hold(PNG);

    for (int i = 0; i < 20; i++) {
      world.postrider().send(picture("chat" + i, blob).build());
    }
    world.time.settle();

    assertThat(world.platform.requests()).hasSize(20);
    assertThat(world.platform.uploads()).hasSize(1);
    assertThat(handles(world.platform.requests())).containsOnly("h1");
  }

  @Test
  void many_messages_bring_a_file_once_where_the_first_part_brings_it() {
    world.platform.mood(
        dispatch -> world.platform.deliveredWithHandles(dispatch).taking(seconds(2)));
    start(Reuse.BY_SENDING, false);
    Blob blob = hold(PNG);

    for (int i = 0; i < 20; i++) {
      world.postrider().send(picture("chat" + i, blob).build());
    }
    world.pass(seconds(1));
    assertThat(world.platform.requests()).as("the others wait for the first").hasSize(1);
    world.pass(seconds(4));

    assertThat(world.platform.uploads()).hasSize(1);
    assertThat(handles(world.platform.requests())).startsWith("bytes").hasSize(20);
    assertThat(handles(world.platform.requests()).subList(1, 20)).containsOnly("h1");
  }

  @Test
  void the_same_bytes_under_another_name_keep_their_own_name() {
    world.platform.mood(world.platform::deliveredWithHandles);
    start(Reuse.BY_SENDING, false);
    Blob blob = hold("%PDF-1.7 x".getBytes(StandardCharsets.US_ASCII));

    for (String name : List.of("offer.pdf", "invoice.pdf", "offer.pdf")) {
      Media file = new Media(Media.held(blob.hash()).url(), MediaKind.DOCUMENT, name, false, false);
      world.send(Message.to("bot", "ann").media(List.of(file)));
    }

    assertThat(handles(world.platform.requests())).containsExactly("bytes", "bytes", "h1");
  }

  @Test
  void if_the_first_fails_the_next_brings_the_file() {
    world.platform.then(REFUSED);
    world.platform.mood(world.platform::deliveredWithHandles);
    start(Reuse.BY_SENDING, false);
    Blob blob = hold(PNG);

    sendPicture("ann", blob);
    sendPicture("bob", blob);
    sendPicture("eve", blob);

    assertThat(handles(world.platform.requests())).containsExactly("bytes", "bytes", "h1");
    world.pass(seconds(5));
    assertThat(handles(world.platform.requests())).endsWith("h1");
    assertThat(world.platform.uploads()).hasSize(1);
  }

  @Test
  void a_handle_outlives_a_restart() {
    start(Reuse.BY_UPLOAD, false);
    sendPicture("ann", hold(PNG));
    crashAndStart();

    sendPicture("bob", hold(PNG));

    assertThat(world.platform.uploads()).hasSize(1);
    assertThat(handles(world.platform.requests())).containsExactly("h1", "h1");
  }

  @Test
  void a_handle_the_platform_has_lost_is_renewed_once_for_all() {
    start(Reuse.BY_UPLOAD, false);
    Blob blob = hold(PNG);
    sendPicture("ann", blob);
    world.platform.then(new Outcome.Repairable(new Fix.UploadInstead(), "no such file"));

    Delivery repaired = sendPicture("bob", blob);
    sendPicture("eve", blob);

    assertThat(world.status(repaired)).isEqualTo(Status.DELIVERED);
    assertThat(handles(world.platform.requests())).containsExactly("h1", "h1", "h2", "h2");
    assertThat(world.platform.uploads()).hasSize(2);
  }

  @Test
  void a_handle_is_not_used_past_its_end() {
    world.platform.intake(
        _ ->
            new UploadResult.Done(new FileHandle("h" + world.platform.uploads().size(), hours(1))));
    start(Reuse.BY_UPLOAD, false);
    Blob blob = hold(PNG);
    sendPicture("ann", blob);
    world.pass(minutes(59));
    sendPicture("bob", blob);
    world.pass(minutes(2));
    sendPicture("eve", blob);

    assertThat(handles(world.platform.requests())).containsExactly("h1", "h1", "h2");
  }

  @Test
  void an_upload_without_a_verdict_leaves_no_doubt_about_the_message() {
    start(Reuse.BY_UPLOAD, false);
    world.platform.intake(
        _ ->
            world.platform.uploads().size() == 1
                ? new UploadResult.Failed(NO_ANSWER)
                : new UploadResult.Done(FileHandle.of("h2")));

    Delivery delivery = sendPicture("ann", hold(PNG));
    assertThat(world.platform.requests()).isEmpty();
    world.pass(seconds(5));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();
  }

  @Test
  void an_upload_that_throws_or_hangs_does_not_stall_the_lane() {
    start(Reuse.BY_UPLOAD, false);
    Blob blob = hold(PNG);
    world.platform.intake(
        _ -> {
          if (world.platform.uploads().size() == 1) {
            throw new IllegalStateException("adapter defect");
          }
          if (world.platform.uploads().size() == 2) {
            world.time.await(new CompletableFuture<Boolean>());
          }
          return new UploadResult.Done(FileHandle.of("h3"));
        });

    Delivery delivery = sendPicture("ann", blob);
    world.pass(minutes(10));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(handles(world.platform.requests())).containsExactly("h3");
  }

  // ---- addresses

  @Test
  void an_address_goes_to_a_platform_that_fetches_for_itself() {
    start(Reuse.BY_SENDING, true);

    world.send(Message.to("bot", "ann").media(List.of(Media.at(ADDRESS))));

    PartFile cargo = world.platform.requests().getFirst().cargo().getFirst();
    assertThat(cargo.attachment().url()).isEqualTo(ADDRESS);
    assertThat(cargo.bytes()).isNull();
    assertThat(world.internet.asked()).isEmpty();
  }

  @Test
  void what_the_platform_could_not_fetch_is_fetched_here_and_brought() {
    world.internet.put(ADDRESS, PNG);
    world.platform.then(new Outcome.Repairable(new Fix.UploadInstead(), "could not fetch"));
    world.platform.mood(world.platform::deliveredWithHandles);
    start(Reuse.BY_SENDING, true);

    Delivery delivery = world.send(Message.to("bot", "ann").media(List.of(Media.at(ADDRESS))));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(bytes(world.platform.uploads().getFirst())).isEqualTo(PNG);
  }

  @Test
  void an_address_is_fetched_once_for_many_chats() {
    world.internet.put(ADDRESS, PNG);
    start(Reuse.BY_UPLOAD, false);

    for (int i = 0; i < 20; i++) {
      world.postrider().send(Message.to("bot", "c" + i).media(List.of(Media.at(ADDRESS))).build());
    }
    world.time.settle();

    assertThat(world.internet.asked()).hasSize(1);
    assertThat(world.platform.uploads()).hasSize(1);
    assertThat(world.platform.requests()).hasSize(20);
  }

  @Test
  void the_bytes_say_what_an_address_gives_whatever_it_is_called() {
    world.internet.put("https://example.org/cat.mp4", PNG);
    start(Reuse.NONE, false);

    world.send(Message.to("bot", "ann").media(List.of(Media.at("https://example.org/cat.mp4"))));

    PartFile cargo = world.platform.requests().getFirst().cargo().getFirst();
    assertThat(cargo.attachment().kind()).isEqualTo(MediaKind.IMAGE);
  }

  @Test
  void an_address_that_must_not_be_fetched_ends_the_message_and_not_the_lane() {
    start(Reuse.NONE, false);

    Delivery refused = world.send(Message.to("bot", "ann").media(List.of(Media.at(ADDRESS))));
    Delivery next = world.send("ann", "next");

    assertThat(world.status(refused)).isEqualTo(Status.FAILED);
    assertThat(world.message(refused.id()).error()).contains("media was not fetched");
    assertThat(world.status(next)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void an_address_that_fails_today_is_tried_again() {
    world.internet.fail(ADDRESS, new IOException("example.org answered 503"));
    start(Reuse.NONE, false);

    Delivery delivery = world.send(Message.to("bot", "ann").media(List.of(Media.at(ADDRESS))));
    assertThat(world.status(delivery)).isEqualTo(Status.QUEUED);
    world.internet.put(ADDRESS, PNG);
    world.pass(seconds(5));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();
  }

  @Test
  void a_file_whose_server_is_away_waits_uncharged_and_holds_up_its_own_chat_only() {
    world.internet.fail(ADDRESS, new Fetcher.Unreachable("example.org has no address"));
    start(Reuse.NONE, false);
    Delivery delivery = world.send(Message.to("bot", "ann").media(List.of(Media.at(ADDRESS))));
    Delivery behind = world.send("ann", "behind");
    Delivery other = world.send("bob", "other");

    world.pass(hours(1));
    assertThat(world.status(other)).isEqualTo(Status.DELIVERED);
    assertThat(world.status(delivery)).isEqualTo(Status.QUEUED);
    assertThat(attempts(delivery)).isZero();
    assertThat(world.history(delivery)).hasSize(1);
    assertThat(account("bot").outages()).isEmpty();
    assertThat(world.internet.asked()).as("asked once a minute").hasSizeBetween(55, 75);
    world.internet.put(ADDRESS, PNG);
    world.pass(minutes(1));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.status(behind)).isEqualTo(Status.DELIVERED);
    assertThat(attempts(delivery)).isEqualTo(1);
  }

  @Test
  void a_server_that_is_away_is_asked_by_one_message_at_a_time() {
    start(Reuse.NONE, false);
    List<Delivery> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String address = "https://dead.example/" + i + ".png";
      world.internet.fail(address, new Fetcher.Unreachable("dead.example has no address"));
      all.add(world.send(Message.to("bot", "chat" + i).media(List.of(Media.at(address)))));
    }

    world.pass(minutes(10));
    assertThat(world.internet.asked()).hasSizeLessThan(30);
    for (int i = 0; i < 20; i++) {
      world.internet.put("https://dead.example/" + i + ".png", PNG);
    }
    world.pass(minutes(3));

    assertThat(all).allSatisfy(it -> assertThat(world.status(it)).isEqualTo(Status.DELIVERED));
  }

  @Test
  void an_address_that_gives_too_much_goes_out_as_a_link() {
    world.internet.put(ADDRESS, new byte[2000]);
    start(Reuse.NONE, false);

    Delivery delivery =
        world.send(Message.to("bot", "ann").text("look").media(List.of(Media.at(ADDRESS))));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    Request request = world.platform.requests().getFirst();
    assertThat(request.text()).isEqualTo("look\n" + ADDRESS);
    assertThat(request.cargo()).isEmpty();
  }

  @Test
  void an_album_that_turns_out_to_be_none_goes_out_as_documents() {
    world.internet.put("https://example.org/1.png", PNG);
    world.internet.put("https://example.org/2.png", "text".getBytes(StandardCharsets.UTF_8));
    start(Reuse.NONE, false);

    world.send(
        Message.to("bot", "ann")
            .media(
                List.of(
                    Media.at("https://example.org/1.png"), Media.at("https://example.org/2.png"))));

    assertThat(world.platform.requests()).hasSize(1);
    assertThat(world.platform.requests().getFirst().cargo())
        .extracting(cargo -> cargo.attachment().kind())
        .containsExactly(MediaKind.DOCUMENT, MediaKind.DOCUMENT);
  }

  @Test
  void what_cannot_be_shown_as_it_is_goes_out_as_a_document() {
    start(Reuse.NONE, false);
    world.platform.then(new Outcome.Repairable(new Fix.AsDocument(), "photo_invalid_dimensions"));

    Delivery delivery = sendPicture("ann", hold(PNG));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.platform.requests())
        .extracting(request -> request.cargo().getFirst().attachment().kind())
        .containsExactly(MediaKind.IMAGE, MediaKind.DOCUMENT);
  }

  // ---- keeping

  @Test
  void a_file_is_kept_while_its_message_waits_and_let_go_when_it_is_delivered() {
    start(Reuse.NONE, false);
    world.postrider().pauseAccount("bot", "later");
    Blob blob = hold(PNG);
    world.send(picture("ann", blob).expiresIn(hours(100)));
    world.pass(hours(50));
    assertThat(world.postrider().held(blob.hash())).isPresent();

    world.postrider().resumeAccount("bot");
    world.pass(hours(1));

    assertThat(world.platform.requests()).hasSize(1);
    assertThat(world.postrider().held(blob.hash())).isEmpty();
  }

  @Test
  void a_dead_letter_keeps_its_file_for_the_replay() {
    world.platform.then(rejected());
    start(Reuse.NONE, false);
    Delivery dead = sendPicture("ann", hold(PNG));
    world.pass(hours(50));

    Delivery replay = world.postrider().replay(dead.id());
    world.time.settle();

    assertThat(world.status(replay)).isEqualTo(Status.DELIVERED);
    assertThat(bytes(world.platform.requests().getLast().cargo().getFirst())).isEqualTo(PNG);
  }

  @Test
  void an_upload_nobody_names_is_let_go() {
    start(Reuse.NONE, false);
    Blob blob = hold(PNG);

    world.pass(hours(23));
    assertThat(world.postrider().held(blob.hash())).isPresent();
    world.pass(hours(2));

    assertThat(world.postrider().held(blob.hash())).isEmpty();
    assertThat(refusal(() -> world.postrider().send(picture("ann", blob).build())).field())
        .startsWith("media");
  }

  // ---- platforms that take addresses only

  private void foundAt(String publicUrl) {
    world.configure(config -> config.media(MediaSettings.DEFAULTS.publicUrl(publicUrl)));
  }

  private void startWithAddresses() {
    foundAt("https://postrider.example.org");
    start(Reuse.BY_ADDRESS, true);
  }

  private String addressOf(Request request) {
    PartFile file = request.cargo().getFirst();
    assertThat(file.bytes()).isNull();
    assertThat(file.handle()).isNull();
    return file.attachment().url();
  }

  private boolean isGood(String address) {
    Matcher parts =
        Pattern.compile(
                "https://postrider\\.example\\.org/media/(\\w{64})"
                    + "\\?expires=(\\d+)&signature=(\\w{64})")
            .matcher(address);
    assertThat(parts.matches()).as(address).isTrue();
    return world
        .postrider()
        .isMediaAddress(parts.group(1), Long.parseLong(parts.group(2)), parts.group(3));
  }

  @Test
  void a_platform_that_takes_addresses_only_gets_one_of_ours() {
    startWithAddresses();

    assertThat(world.status(sendPicture("ann", hold(PNG)))).isEqualTo(Status.DELIVERED);

    String address = addressOf(world.platform.requests().getFirst());
    assertThat(isGood(address)).isTrue();
    assertThat(expiry(address))
        .isBetween(world.time.instant().plus(hours(48)), world.time.instant().plus(hours(49)));
    assertThat(isGood(address.replaceFirst(".$", address.endsWith("0") ? "1" : "0"))).isFalse();
    assertThat(isGood(address.replace("expires=", "expires=1"))).isFalse();
    assertThat(isGood(address.replaceFirst("media/\\w", "media/g"))).isFalse();
  }

  private static Instant expiry(String address) {
    return Instant.ofEpochSecond(
        Long.parseLong(address.replaceFirst(".*expires=", "").replaceFirst("&.*", "")));
  }

  @Test
  void a_repeat_of_what_may_have_arrived_names_the_same_address() {
    startWithAddresses();
    world.platform.then(new Outcome.Unknown("no answer"));

    world.send(picture("ann", hold(PNG)));
    world.pass(hours(2));

    assertThat(world.platform.requests()).hasSize(2);
    assertThat(addressOf(world.platform.requests().get(1)))
        .as("or a platform that knows it by its key would see another request")
        .isEqualTo(addressOf(world.platform.requests().getFirst()));
  }

  @Test
  void a_repeat_of_what_did_not_arrive_names_an_address_that_lasts_as_long() {
    startWithAddresses();
    world.platform.then(new Outcome.Throttled(ThrottleScope.CHAT, hours(20), "later"));

    world.send(picture("ann", hold(PNG)));
    world.pass(hours(21));

    assertThat(world.platform.requests()).hasSize(2);
    assertThat(expiry(addressOf(world.platform.requests().get(1))))
        .isAfter(expiry(addressOf(world.platform.requests().getFirst())).plus(hours(19)));
  }

  @Test
  void a_file_has_the_same_address_for_an_hour() {
    startWithAddresses();
    Blob picture = hold(PNG);
    for (String chat : List.of("ann", "bob", "eve")) {
      world.pass(minutes(25));
      sendPicture(chat, picture);
    }

    List<String> addresses = world.platform.requests().stream().map(this::addressOf).toList();
    assertThat(addresses.get(0)).isEqualTo(addresses.get(1)).isNotEqualTo(addresses.get(2));
    assertThat(addresses).allMatch(this::isGood);
  }

  @Test
  void an_address_is_good_after_a_restart_and_its_file_is_there_as_long() {
    startWithAddresses();
    Blob blob = hold(PNG);
    world.pass(hours(23));
    sendPicture("ann", blob);
    world.pass(hours(23)); // the upload alone would be gone by now

    world.stop().start();

    assertThat(isGood(addressOf(world.platform.requests().getFirst()))).isTrue();
    assertThat(world.postrider().held(blob.hash())).isPresent();
  }

  @Test
  void a_public_address_is_passed_on_as_it_is() {
    startWithAddresses();

    world.send(Message.to("bot", "ann").media(List.of(Media.at(ADDRESS))));

    assertThat(addressOf(world.platform.requests().getFirst())).isEqualTo(ADDRESS);
  }

  @Test
  void bytes_are_refused_where_the_platform_could_not_fetch_them() {
    start(Reuse.BY_ADDRESS, true);
    Blob blob = hold(PNG);

    assertThat(refusal(() -> world.postrider().send(picture("ann", blob).build())))
        .hasMessageContaining("http.publicUrl")
        .extracting(Refused::field)
        .isEqualTo("media");
  }

  @Test
  void bytes_are_refused_where_the_platform_fetches_over_tls_and_we_are_found_without() {
    foundAt("http://postrider.example.org");
    start(Reuse.BY_SECURE_ADDRESS, true);

    assertThat(refusal(() -> world.postrider().send(picture("ann", hold(PNG)).build())))
        .hasMessageContaining("http.publicUrl is no https address")
        .extracting(Refused::field)
        .isEqualTo("media");
    assertThat(world.status(world.send(Message.to("bot", "ann").media(List.of(Media.at(ADDRESS))))))
        .as("an address of somebody else's")
        .isEqualTo(Status.DELIVERED);
  }

  @Test
  void a_picture_that_waits_while_https_is_given_up_fails_with_the_remedy() {
    foundAt("https://postrider.example.org");
    start(Reuse.BY_SECURE_ADDRESS, true);
    world.platform.then(new Outcome.NotSent("not yet"));
    Delivery waiting = sendPicture("ann", hold(PNG));
    assertThat(world.status(waiting)).isEqualTo(Status.QUEUED);

    world.stop();
    foundAt("http://postrider.example.org");
    world.start().pass(hours(1));

    assertThat(world.status(waiting)).isEqualTo(Status.FAILED);
    assertThat(world.history(waiting).getLast().toString())
        .contains("http.publicUrl is no https address");
  }

  @Test
  void bytes_that_can_be_in_the_request_need_no_address() {
    Rule rule = new Rule(Set.of(), 1000, true);
    world.platform.media(
        new MediaRules(
            Map.of(MediaKind.IMAGE, rule.inlined(), MediaKind.DOCUMENT, rule),
            null,
            1,
            List.of(),
            false,
            true,
            Reuse.BY_ADDRESS));
    world.start();

    assertThat(world.status(sendPicture("ann", hold(PNG)))).isEqualTo(Status.DELIVERED);

    assertThat(world.platform.requests().getFirst().cargo().getFirst().bytes()).isNotNull();
    Message document =
        Message.to("bot", "ann")
            .media(List.of(Media.held(hold(PNG).hash()).sentAsDocument()))
            .build();
    assertThat(refusal(() -> world.postrider().send(document)))
        .as("of another kind")
        .hasMessageContaining("http.publicUrl");
  }

  // ---- settings

  private void content(
      @Nullable Integer textLimit, @Nullable Split mode, @Nullable Long mediaLimit) {
    world.account(account -> account.withContent(new ContentSettings(textLimit, mode, mediaLimit)));
  }

  private void media(long largest, Duration keepUnused) {
    MediaSettings usual = MediaSettings.DEFAULTS;
    world.configure(
        config ->
            config.media(
                new MediaSettings(
                    largest,
                    keepUnused,
                    usual.fetchTimeout(),
                    usual.maxRedirects(),
                    usual.allowedNetworks())));
  }

  @Test
  void the_account_says_how_long_a_text_may_be() {
    content(5, null, null);
    world.start();

    world.send("ann", "one two three");

    assertThat(world.platform.texts()).containsExactly("one ", "two ", "three");
  }

  @Test
  void the_account_says_where_a_new_part_begins() {
    content(null, Split.NEWLINE, null);
    world.start();

    assertThat(world.postrider().preview(to("ann", "x").build()).channel().text().split())
        .isEqualTo(Split.NEWLINE);
  }

  @Test
  void the_account_says_how_large_a_file_may_be() {
    content(null, null, 2000L);
    start(Reuse.NONE, false);

    assertThat(world.status(sendPicture("ann", hold(new byte[2000])))).isEqualTo(Status.DELIVERED);
    Blob large = hold(new byte[2001]);
    assertThat(refusal(() -> world.postrider().send(picture("ann", large).build())).field())
        .isEqualTo("media[0]");
  }

  @Test
  void no_file_is_larger_than_configured() {
    media(10, hours(24));
    start(Reuse.NONE, false);

    assertThat(refusal(() -> sendData("12345678901")))
        .hasMessageContaining("10 bytes of media.maxSize");
    assertThat(world.status(sendData("1234567890"))).isEqualTo(Status.DELIVERED);
  }

  private Delivery sendData(String text) {
    return world.send(Message.to("bot", "ann").media(List.of(Media.at("data:," + text))));
  }

  @Test
  void an_upload_nobody_names_is_kept_as_long_as_configured() {
    media(1000, hours(2));
    start(Reuse.NONE, false);
    Blob blob = hold(PNG);

    world.pass(minutes(119));
    assertThat(world.postrider().held(blob.hash())).isPresent();
    world.pass(minutes(10));
    assertThat(world.postrider().held(blob.hash())).isEmpty();
  }

  @Test
  void a_preview_shows_the_parts_and_sends_nothing() {
    start(Reuse.NONE, false);
    Blob blob = hold(PNG);

    var preview = world.postrider().preview(picture("ann", blob).text("a caption").build());

    assertThat(preview.plan().parts()).hasSize(1);
    assertThat(preview.plan().parts().getFirst().text()).isEqualTo("a caption");
    assertThat(world.platform.requests()).isEmpty();
    assertThat(world.store().depths().join()).allMatch(depth -> depth.active() == 0);
  }

  @Test
  void the_same_file_under_one_key_is_the_same_message() {
    start(Reuse.NONE, false);
    Message.Builder first =
        Message.to("bot", "ann")
            .idempotencyKey("k")
            .media(List.of(Media.at("data:text/plain,hello")));

    Delivery once = world.send(first);
    Delivery twice = world.send(first);

    assertThat(twice.duplicate()).isTrue();
    assertThat(twice.id()).isEqualTo(once.id());
  }
}
