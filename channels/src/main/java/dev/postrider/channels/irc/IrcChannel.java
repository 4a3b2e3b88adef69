package dev.postrider.channels.irc;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Link;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.TextLimit.Unit;
import dev.postrider.channels.Settings;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import java.util.List;

/** IRC: {@code to} is a channel or a nick. */
public final class IrcChannel implements Channel {
  /** What nearly every network lets pass: some lines at once, then one in two seconds. */
  private static final Pace PACE = Pace.perMinute(30).burst(4);

  /** So few lines wait at the server at once that no queue there overflows. */
  private static final int CONCURRENCY = 4;

  @Override
  public String name() {
    return "irc";
  }

  @Override
  public List<Setting> settings() {
    return IrcSettings.ALL;
  }

  @Override
  public void checkAccount(AccountConfig account) {
    IrcSettings.of(account);
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    Capabilities lines =
        Capabilities.of(Dialects.IRC, TextLimit.of(IrcRequest.TEXT, Unit.UTF8_BYTES))
            .withOptions(IrcRequest.OPTIONS)
            .paced(PACE, _ -> PACE, CONCURRENCY);
    Integer together = Settings.of(account).count("multiline");
    return together == null ? lines : lines.bundling(together);
  }

  /** Names differ by more than the case of ASCII's letters only where the account says so. */
  @Override
  public String canonical(AccountConfig account, String to) {
    CaseMapping mapping = CaseMapping.named(account.text("casemapping", "ascii"));
    return mapping.fold(IrcAddress.parse(to.strip()).toString());
  }

  @Override
  public void check(Message message, Plan plan) {
    IrcRequest.check(message, plan);
  }

  @Override
  public Link open(AccountContext context) {
    return new IrcLink(IrcSettings.of(context.config()), context);
  }
}
