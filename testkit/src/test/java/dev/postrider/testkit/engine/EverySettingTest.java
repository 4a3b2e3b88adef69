package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.AccountPace;
import dev.postrider.config.ClusterSettings;
import dev.postrider.config.ContentSettings;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.InboundQueueSettings;
import dev.postrider.config.InboundSettings;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.PostriderConfig;
import dev.postrider.config.QueueSettings;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every setting works: each one has a test that changes it and sees the difference. A new setting
 * without one fails here.
 */
final class EverySettingTest {
  private record Shown(Class<?> suite, String test) {}

  private static final Map<String, Shown> DELIVERY =
      Map.ofEntries(
          Map.entry(
              "backoff",
              new Shown(Retries.class, "the_configured_backoff_is_the_one_that_is_waited_for")),
          Map.entry("jitter", new Shown(Retries.class, "jitter_varies_a_delay_by_a_tenth_at_most")),
          Map.entry(
              "fastFirstRetry",
              new Shown(Retries.class, "the_fast_first_retry_is_as_fast_as_configured")),
          Map.entry(
              "maxAttempts",
              new Shown(Retries.class, "the_account_says_how_often_its_messages_are_tried")),
          Map.entry(
              "attemptTimeout",
              new Shown(
                  Retries.class, "an_adapter_that_hangs_is_given_up_after_the_attempt_timeout")),
          Map.entry("lateAfter", new Shown(OldMessages.class, "the_account_says_when_late_is")),
          Map.entry(
              "lateAction",
              new Shown(
                  OldMessages.class, "a_late_message_is_not_sent_where_the_account_wants_that")),
          Map.entry(
              "expireAfter", new Shown(OldMessages.class, "the_account_says_when_messages_expire")),
          Map.entry(
              "onUnknown",
              new Shown(
                  UnknownOutcomes.class,
                  "a_message_in_doubt_is_held_where_the_account_wants_that")),
          Map.entry(
              "onReceiptFailed",
              new Shown(
                  LateFailures.class, "a_failure_is_only_recorded_where_the_account_wants_that")),
          Map.entry(
              "haltLaneOnFailure",
              new Shown(
                  Retries.class, "a_failed_message_halts_its_lane_where_the_account_wants_that")),
          Map.entry(
              "outageUsesAttempts",
              new Shown(Outages.class, "an_outage_uses_up_attempts_where_the_account_wants_that")));

  private static final Map<String, Shown> QUEUE =
      Map.of(
          "onMissingAccount",
          new Shown(
              Accounts.class, "messages_of_an_account_that_is_gone_fail_where_that_is_wished"),
          "drainOnStartup",
          new Shown(
              Recoveries.class, "a_backlog_waits_for_people_where_it_is_not_drained_by_itself"),
          "drainBudget",
          new Shown(
              Recoveries.class,
              "the_summary_is_drawn_when_the_drain_budget_is_over_and_the_rest_goes_on"),
          "maxQueueDepth",
          new Shown(
              Limits.class,
              "a_full_queue_refuses_clearly_and_takes_messages_again_when_it_has_room"),
          "maxAccountDepth",
          new Shown(Limits.class, "a_full_account_refuses_and_others_do_not"),
          "maxLaneDepth",
          new Shown(Limits.class, "a_full_lane_refuses_and_others_do_not"),
          "keepDelivered",
          new Shown(
              Limits.class, "delivered_messages_are_kept_for_their_time_and_dead_letters_longer"),
          "keepDeadLetters",
          new Shown(
              Limits.class, "delivered_messages_are_kept_for_their_time_and_dead_letters_longer"),
          "pruneInterval",
          new Shown(Limits.class, "pruning_comes_as_often_as_configured"),
          "shutdownGrace",
          new Shown(Recoveries.class, "a_stop_does_not_wait_longer_than_its_grace"));

  private static final Map<String, Shown> PACE =
      Map.of(
          "account",
          new Shown(Throttling.class, "the_accounts_own_pace_goes_before_the_channels_default"),
          "chat",
          new Shown(Throttling.class, "the_accounts_own_pace_goes_before_the_channels_default"),
          "concurrency",
          new Shown(
              Throttling.class, "the_account_says_how_many_requests_are_under_way_at_a_time"));

  private static final Map<String, Shown> CLUSTER =
      Map.of(
          "node",
          new Shown(
              Clusters.class,
              "a_node_that_starts_again_under_its_name_takes_its_accounts_up_at_once"),
          "address",
          new Shown(Clusters.class, "nodes_are_known_by_name_and_address"),
          "heartbeat",
          new Shown(Clusters.class, "the_heartbeat_says_how_often_a_node_looks"),
          "lease",
          new Shown(Clusters.class, "the_lease_says_how_long_a_silent_node_is_waited_for"));

  private static final Map<String, Shown> CONTENT =
      Map.of(
          "textLimit",
          new Shown(Files.class, "the_account_says_how_long_a_text_may_be"),
          "mode",
          new Shown(Files.class, "the_account_says_where_a_new_part_begins"),
          "mediaLimit",
          new Shown(Files.class, "the_account_says_how_large_a_file_may_be"));

  private static final Map<String, Shown> MEDIA =
      Map.of(
          "largest",
          new Shown(Files.class, "no_file_is_larger_than_configured"),
          "keepUnused",
          new Shown(Files.class, "an_upload_nobody_names_is_kept_as_long_as_configured"),
          "publicUrl",
          new Shown(Files.class, "a_platform_that_takes_addresses_only_gets_one_of_ours"));

  private static final Map<String, Shown> INBOUND =
      Map.of(
          "backoff",
          new Shown(InboundHandling.class, "backoff_and_attempts_are_the_accounts_own"),
          "jitter",
          new Shown(InboundHandling.class, "jitter_varies_when_a_message_comes_again"),
          "maxAttempts",
          new Shown(InboundHandling.class, "backoff_and_attempts_are_the_accounts_own"),
          "revivals",
          new Shown(
              TakingTurns.class, "the_account_says_how_often_a_message_of_the_dead_comes_again"),
          "revivalDelay",
          new Shown(
              TakingTurns.class, "the_account_says_how_often_a_message_of_the_dead_comes_again"),
          "revivalAge",
          new Shown(TakingTurns.class, "the_account_says_how_old_a_message_of_the_dead_may_be"),
          "session",
          new Shown(InboundHandling.class, "sessions_are_named_as_the_account_wants"),
          "keepMedia",
          new Shown(KeepingFiles.class, "without_keepMedia_the_platform_is_asked_each_time"));

  private static final Map<String, Shown> INBOUND_QUEUE =
      Map.of(
          "maxDepth",
          new Shown(InboundHandling.class, "when_too_much_waits_platforms_are_asked_to_come_again"),
          "concurrency",
          new Shown(InboundHandling.class, "no_more_are_handled_at_once_than_there_are_hands"),
          "handlerLease",
          new Shown(InboundHandling.class, "the_lease_of_a_handler_is_as_long_as_configured"));

  /** Whoever fetches shows these. */
  private static final Set<String> OF_FETCHING =
      Set.of("fetchTimeout", "maxRedirects", "allowedNetworks");

  /** {@code store} and {@code onUnavailable} are the store's to show; the others are above. */
  private static final Set<String> ELSEWHERE =
      Set.of("store", "onUnavailable", "queue", "media", "inboundQueue", "cluster", "accounts");

  @Test
  void every_setting_has_a_test() {
    check(DeliverySettings.class, DELIVERY);
    check(QueueSettings.class, QUEUE);
    check(AccountPace.class, PACE);
    check(ClusterSettings.class, CLUSTER);
    check(ContentSettings.class, CONTENT);
    check(InboundSettings.class, INBOUND);
    check(InboundQueueSettings.class, INBOUND_QUEUE);
    Set<String> media = names(MediaSettings.class);
    media.removeAll(OF_FETCHING);
    assertThat(MEDIA.keySet()).isEqualTo(media);
    MEDIA.values().forEach(EverySettingTest::exists);
  }

  @Test
  void what_is_set_for_all_accounts_has_a_test() {
    Set<String> left = names(PostriderConfig.class);
    left.removeAll(ELSEWHERE);
    assertThat(left).containsExactlyInAnyOrder("channelPaces", "encryptionKeys");
    exists(new Shown(Throttling.class, "accounts_of_one_channel_share_the_channels_pace"));
    exists(new Shown(Encryption.class, "a_new_key_encrypts_and_the_old_one_is_still_read"));
  }

  private static void check(Class<?> settings, Map<String, Shown> shown) {
    assertThat(shown.keySet()).as(settings.getSimpleName()).isEqualTo(names(settings));
    shown.values().forEach(EverySettingTest::exists);
  }

  private static Set<String> names(Class<?> settings) {
    return Stream.of(settings.getRecordComponents())
        .map(RecordComponent::getName)
        .collect(Collectors.toSet());
  }

  private static void exists(Shown shown) {
    assertThat(Stream.of(shown.suite.getDeclaredMethods()).map(Method::getName))
        .as(shown.suite.getSimpleName())
        .contains(shown.test);
  }
}
