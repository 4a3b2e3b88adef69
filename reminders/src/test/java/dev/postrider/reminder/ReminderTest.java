package dev.postrider.reminder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.message.Format;
import dev.postrider.message.Media;
import dev.postrider.message.Message;
import dev.postrider.message.Priority;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problem;
import dev.postrider.problem.Problems;
import dev.postrider.reminder.time.Cron;
import dev.postrider.reminder.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReminderTest {
  private static final ZoneId KUALA_LUMPUR = ZoneId.of("Asia/Kuala_Lumpur");
  private static final Instant NOW = Instant.parse("2026-11-19T00:00:00Z");
  private static final ReminderId ID = new ReminderId(new UUID(1, 2));
  private static final Target TEAM_A = Target.to("-1001").with(Map.of("name", "Team A"));

  private static Reminder.Builder reminder() {
    return Reminder.named("Friday notice")
        .account("tg-main")
        .zone(KUALA_LUMPUR)
        .schedule(new Cron("0 9 * * FRI"))
        .window(Window.in(KUALA_LUMPUR))
        .targets(List.of(TEAM_A))
        .messages(List.of(Content.text("Hello {{name}}")));
  }

  private static List<String> problems(Reminder.Builder reminder) {
    return refusal(reminder).problems().stream().map(Problem::toString).toList();
  }

  private static InvalidInput refusal(Reminder.Builder reminder) {
    return catchThrowableOfType(InvalidInput.class, () -> reminder.build(ID, NOW));
  }

  @Test
  void a_reminder_has_sensible_defaults() {
    Reminder reminder = reminder().build(ID, NOW);
    assertThat(reminder.priority()).isEqualTo(Priority.BULK);
    assertThat(reminder.enabled()).isTrue();
    assertThat(reminder.expiresIn()).isNull();
    assertThat(reminder.account()).isEqualTo("tg-main");
    assertThat(reminder.createdAt()).isEqualTo(NOW).isEqualTo(reminder.updatedAt());
  }

  @Test
  void a_change_keeps_everything_else_and_when_it_was_made() {
    Reminder reminder =
        reminder()
            .accounts(List.of("a", "b"))
            .expiresIn(Duration.ofHours(5))
            .priority(Priority.LIVE)
            .enabled(false)
            .build(ID, NOW);
    Instant later = NOW.plusSeconds(60);
    assertThat(reminder.toBuilder().build(ID, NOW)).isEqualTo(reminder);
    Reminder changed = reminder.toBuilder().name("Other").build(ID, later);
    assertThat(changed.createdAt()).isEqualTo(NOW);
    assertThat(changed.updatedAt()).isEqualTo(later);
    assertThat(changed.name()).isEqualTo("Other");
  }

  @Test
  void it_fires_by_its_schedule_in_its_own_zone_while_it_is_enabled() {
    assertThat(reminder().build(ID, NOW).nextFiring(NOW))
        .contains(Instant.parse("2026-11-20T01:00:00Z"));
    assertThat(reminder().enabled(false).build(ID, NOW).nextFiring(NOW)).isEmpty();
    assertThat(reminder().schedule(null).build(ID, NOW).nextFiring(NOW)).isEmpty();
  }

  @Test
  void every_message_is_filled_for_every_target() {
    Content picture =
        Content.builder().media(List.of(Media.at("https://e.org/p.jpg"))).silent(true).build();
    Reminder reminder =
        reminder().messages(List.of(Content.text("Hello {{name}}"), picture)).build(ID, NOW);
    assertThat(reminder.fill("tg-2", TEAM_A).stream().map(Message.Builder::build))
        .containsExactly(
            Message.to("tg-2", "-1001").text("Hello Team A").priority(Priority.BULK).build(),
            Message.to("tg-2", "-1001")
                .media(List.of(Media.at("https://e.org/p.jpg")))
                .silent(true)
                .priority(Priority.BULK)
                .build());
  }

  @Test
  void thread_and_channel_data_are_filled_as_plain_text() {
    Content content =
        Content.builder()
            .text("*{{x}}*")
            .threadId("{{topic}}")
            .channelData(Map.of("template", Map.of("parameters", List.of("{{x}}", 7, "\\{{x}}"))))
            .metadata(Map.of("order", "{{x}}"))
            .build();
    Target target = Target.to("1").with(Map.of("x", "*", "topic", "7"));
    assertThat(content.fill("a", target).build())
        .isEqualTo(
            Message.to("a", "1")
                .text("*\\**")
                .threadId("7")
                .channelData(Map.of("template", Map.of("parameters", List.of("*", 7, "{{x}}"))))
                .metadata(Map.of("order", "{{x}}"))
                .build());
    assertThat(content.fill("a", target.with(Map.of("x", "y", "topic", " "))).build().threadId())
        .isNull();
  }

  @Test
  void the_name_of_a_target_is_the_value_of_name_unless_a_variable_is() {
    Target named = Target.to("1").named("Label");
    assertThat(named.values()).isEqualTo(Map.of("name", "Label"));
    assertThat(named.with(Map.of("name", "Ann")).values()).isEqualTo(Map.of("name", "Ann"));
    assertThat(reminder().targets(List.of(named)).build(ID, NOW).targets()).hasSize(1);
  }

  @Test
  void everything_that_is_wrong_is_said_at_once() {
    assertThat(
            problems(
                Reminder.named(" ")
                    .zone(KUALA_LUMPUR)
                    .window(Window.in(ZoneId.of("UTC")))
                    .expiresIn(Duration.ZERO)))
        .containsExactly(
            "name: must not be empty",
            "account: is missing; name the account that sends",
            "window: is in UTC, the reminder in Asia/Kuala_Lumpur; give both the same time zone",
            "expiresIn: must be longer than zero, such as \"12h\"",
            "messages: is empty; give one at least",
            "targets: is empty; give one at least");
  }

  @Test
  void a_reminder_without_a_zone_is_refused() {
    assertThat(problems(reminder().zone(null)))
        .containsExactly("timezone: is missing; name a time zone such as Asia/Kuala_Lumpur");
  }

  @Test
  void names_and_addresses_are_held_to_what_can_be_stored_and_sent() {
    assertThat(
            problems(
                reminder()
                    .name("x".repeat(201))
                    .accounts(List.of("a", "", "a"))
                    .targets(
                        List.of(
                            Target.to(" ").with(Map.of("name", "n")),
                            Target.to("x".repeat(513)).with(Map.of("name", "n")),
                            Target.to("1").with(Map.of("name", "half \uD83D")),
                            Target.to("2\0").named("n"),
                            Target.to("3").named("\0")))))
        .containsExactly(
            "name: must not be longer than 200 characters",
            "accounts[1]: must not be empty",
            "accounts[2]: 'a' is there twice; keep one of them",
            "targets[0].to: must not be empty",
            "targets[1].to: must not be longer than 512 characters",
            "targets[2].variables.name: holds half of a surrogate pair at position 5",
            "targets[3].to: must not contain the NUL character",
            "targets[4].name: must not contain the NUL character");
  }

  @Test
  void a_target_that_is_there_twice_is_refused_with_both_places() {
    assertThat(problems(reminder().targets(List.of(TEAM_A, TEAM_A.by("tg-main")))))
        .containsExactly("targets[1].to: '-1001' is targets[0] too; keep one of them");
  }

  @Test
  void among_several_accounts_the_same_address_may_be_two_chats_only_if_both_accounts_are_named() {
    Reminder.Builder split = reminder().accounts(List.of("a", "b"));
    assertThat(split.targets(List.of(TEAM_A.by("a"), TEAM_A.by("b"))).build(ID, NOW).targets())
        .hasSize(2);
    assertThat(problems(split.targets(List.of(TEAM_A.by("a"), TEAM_A.by("b"), TEAM_A))))
        .containsExactly("targets[2].to: '-1001' is targets[0] too; keep one of them");
    assertThat(problems(split.targets(List.of(TEAM_A, TEAM_A.by("b")))))
        .containsExactly("targets[1].to: '-1001' is targets[0] too; keep one of them");
  }

  @Test
  void a_target_can_be_given_to_the_reminders_accounts_only() {
    assertThat(problems(reminder().targets(List.of(TEAM_A.by("tg-mian")))))
        .containsExactly(
            "targets[0].account: 'tg-mian' is none of the reminder's accounts; did you mean"
                + " 'tg-main'?");
  }

  @Test
  void every_target_needs_a_value_for_every_name() {
    Content content =
        Content.builder()
            .text("{{name}}")
            .threadId("{{topic}}")
            .channelData(Map.of("a", List.of("{{button}}")))
            .build();
    assertThat(
            problems(
                reminder()
                    .messages(List.of(Content.text("Hi {{name}}"), content))
                    .targets(
                        List.of(
                            TEAM_A.with(Map.of("name", "", "topic", "1", "button", "B")),
                            Target.to("2")))))
        .containsExactly(
            "targets[1].variables.name: is missing; messages[0].text says {{name}}",
            "targets[1].variables.topic: is missing; messages[1].threadId says {{topic}}",
            "targets[1].variables.button: is missing; messages[1].channelData says {{button}}");
  }

  @Test
  void values_that_leave_nothing_to_say_are_refused() {
    assertThat(
            problems(
                reminder()
                    .messages(List.of(Content.text("x"), Content.text("{{a}} {{b}}")))
                    .targets(
                        List.of(
                            Target.to("1").with(Map.of("a", "", "b", " ")),
                            Target.to("2").with(Map.of("a", "", "b", "y"))))))
        .containsExactly(
            "targets[0].variables: leave nothing for messages[1].text to say; give a value for a"
                + " and b");
  }

  @Test
  void of_a_hundred_thousand_problems_twenty_are_listed_and_the_rest_counted() {
    List<Target> targets =
        IntStream.range(0, Reminder.MOST_TARGETS).mapToObj(i -> Target.to("chat-" + i)).toList();
    InvalidInput refusal = refusal(reminder().targets(targets));
    assertThat(refusal.problems()).hasSize(Problems.SHOWN);
    assertThat(refusal.problems().getLast().field()).isEqualTo("targets[19].variables.name");
    assertThat(refusal.more()).isEqualTo(Reminder.MOST_TARGETS - Problems.SHOWN);
    assertThat(refusal).hasMessageEndingWith("\nand 99980 more");
  }

  @Test
  void there_are_limits_to_what_one_reminder_holds() {
    List<Target> targets = new ArrayList<>(Collections.nCopies(Reminder.MOST_TARGETS + 1, TEAM_A));
    assertThat(
            problems(
                reminder().targets(targets).messages(Collections.nCopies(21, Content.text("x")))))
        .containsExactly(
            "messages: holds 21; at most 20 are allowed",
            "targets: holds 100,001; at most 100,000 are allowed");
  }

  @Test
  void a_message_is_held_to_what_a_message_can_hold() {
    assertThatThrownBy(() -> Content.builder().text(" ").build())
        .hasMessage("text: nothing to send; give one of text, media or channelData");
    assertThatThrownBy(() -> Content.text("Hi {{name"))
        .hasMessageStartingWith("text: has {{ at position 3");
    assertThatThrownBy(() -> Content.builder().channelData(Map.of("a", Map.of("b", "{{"))).build())
        .hasMessageStartingWith("channelData: has {{ at position 0");
    assertThatThrownBy(() -> Content.builder().text("a\0").build())
        .hasMessage("text: must not contain the NUL character");
  }

  @Test
  void what_is_wrong_inside_a_part_can_be_said_of_the_whole() {
    Problems problems = new Problems();
    problems.addUnder("messages[2]", new InvalidInput("text", "is odd"));
    assertThatThrownBy(problems::refuse).hasMessage("messages[2].text: is odd");
  }

  @Test
  void plain_text_is_filled_as_it_is() {
    Content plain = Content.builder().text("{{x}}").format(Format.PLAIN).build();
    assertThat(plain.fill("a", Target.to("1").with(Map.of("x", "*"))).build().text())
        .isEqualTo("*");
  }

  @Test
  void an_id_is_read_back_as_it_is_written() {
    assertThat(ReminderId.parse(ID.toString())).isEqualTo(ID);
    assertThatThrownBy(() -> ReminderId.parse("7")).hasMessage("'7' is not a reminder id (a UUID)");
  }
}
