package dev.postrider.channels.email;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.Link;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.channel.MediaRules.Rule;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.TextLimit.Unit;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.TrustedAuthorities;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import jakarta.mail.internet.InternetAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** E-mail. */
public final class EmailChannel implements Channel {
  private static final TextLimit TEXT = TextLimit.of(1_000_000, Unit.UTF16);

  /** As an attachment grows by a third, this is what fits into the usual 25 MB. */
  private static final long LARGEST = 18 << 20;

  private static final int FILES = 100;

  @Override
  public String name() {
    return "email";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        new Setting("host", true, false, "the mail server that takes our mail"),
        new Setting("port", false, false, "its port; 587, with security tls 465"),
        new Setting("security", false, false, "starttls, tls or none; starttls"),
        new Setting("username", false, false, "for the mail server, and the mailbox"),
        new Setting("password", false, true, "for the mail server, and the mailbox"),
        new Setting(
            "oauthTokenUrl",
            false,
            false,
            "where access tokens come from; with it no password is used, but XOAUTH2"),
        new Setting("oauthClientId", false, false, "of the application that is registered there"),
        new Setting("oauthClientSecret", false, true, "of that application, if it has one"),
        new Setting(
            "oauthRefreshToken",
            false,
            true,
            "what a person's consent gave; without it the application logs in by itself"),
        new Setting("oauthScope", false, false, "what is asked for, if that has to be said"),
        new Setting("from", true, false, "the sender, such as Shop <shop@example.org>"),
        new Setting(
            "subject", false, false, "may hold {line} of the text, {account}, {to}; {line}"),
        new Setting("replyTo", false, false, "where answers are to go, if not to from"),
        new Setting(
            "autoSubmitted",
            false,
            false,
            "whether mails say that no person wrote them, so that nobody's machine answers; true"),
        new Setting("domain", false, false, "what our Message-IDs end in; the domain of from"),
        new Setting("connectTimeout", false, false, "how long connecting may take; 10s"),
        TrustedAuthorities.SETTING,
        new Setting("timeout", false, false, "how long the server may take to answer; 60s"),
        new Setting("dotTimeout", false, false, "how long to take a whole letter; 10m"),
        new Setting("throttle", false, false, "the pause if the server wants one; 1m"),
        new Setting("imapHost", false, false, "where our mailbox is; without it nobody listens"),
        new Setting("imapPort", false, false, "its port; 993, without tls 143"),
        new Setting("imapSecurity", false, false, "tls, starttls or none; tls"),
        new Setting("imapUser", false, false, "for the mailbox; username"),
        new Setting("imapPassword", false, true, "for the mailbox; password"),
        new Setting("folder", false, false, "the folder to read; INBOX"),
        new Setting("poll", false, false, "how often to look even if nothing is told; 1m"),
        new Setting("inboundLimit", false, false, "most bytes of a mail that is read; 26214400"));
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    Set<MediaKind> all = EnumSet.allOf(MediaKind.class);
    Rule rule = new Rule(Set.of(), LARGEST, false);
    return Capabilities.of(Dialects.EMAIL, TEXT)
        .withMedia(
            new MediaRules(
                all.stream().collect(Collectors.toMap(Function.identity(), _ -> rule)),
                TEXT,
                FILES,
                List.of(all),
                false,
                true,
                Reuse.NONE,
                LARGEST))
        .withOptions(MailOptions.NAMES)
        .reporting(DeliveryReport.State.FAILED);
  }

  /**
   * As mail servers do: a server that is busy, or does not know us yet, is asked again for days
   * (RFC 5321, 4.5.4.1). All of a dialogue may take as long as its last answer, and some more.
   */
  @Override
  public DeliverySettings delivery(DeliverySettings usual) {
    return usual.with(
        s -> {
          s.backoff =
              List.of(
                  Duration.ofMinutes(1),
                  Duration.ofMinutes(5),
                  Duration.ofMinutes(15),
                  Duration.ofMinutes(30),
                  Duration.ofHours(1),
                  Duration.ofHours(2),
                  Duration.ofHours(4));
          s.maxAttempts = 40;
          s.attemptTimeout = Duration.ofMinutes(15);
          s.expireAfter = Duration.ofDays(5);
        });
  }

  /** The mailbox without the name before it; case counts before the @, by the standard. */
  @Override
  public String canonical(AccountConfig account, String to) {
    InternetAddress mailbox = Mailboxes.parse(to);
    if (mailbox == null) {
      throw new InvalidInput("to", "is not the address of one mailbox, such as ann@example.org");
    }
    String address = mailbox.getAddress();
    int at = address.lastIndexOf('@');
    return address.substring(0, at) + address.substring(at).toLowerCase(Locale.ROOT);
  }

  @Override
  public void check(Message message, Plan plan) {
    requireId("replyToId", message.replyToId());
    requireId("threadId", message.threadId());
    MailOptions.of(message.channelData());
  }

  private static void requireId(String field, @Nullable String id) {
    if (id != null && MessageIds.parse(id) == null) {
      throw new InvalidInput(field, "is not a Message-ID such as <abc@example.org>");
    }
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new EmailInboundFiles(account);
  }

  @Override
  public Link open(AccountContext context) {
    return new EmailLink(Settings.of(context.config()), context.scheduler(), context.memory());
  }
}
