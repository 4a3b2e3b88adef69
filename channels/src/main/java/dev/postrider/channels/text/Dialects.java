package dev.postrider.channels.text;

import dev.postrider.channel.Dialect;
import dev.postrider.channel.TextLimit;
import dev.postrider.channels.text.flow.Notation;
import dev.postrider.channels.text.flow.Parts;
import dev.postrider.channels.text.notation.Html;
import dev.postrider.channels.text.notation.Lightweight;
import dev.postrider.channels.text.notation.MarkerNotation;
import dev.postrider.channels.text.notation.Plain;
import dev.postrider.channels.text.tree.Markdown;
import dev.postrider.config.Split;
import dev.postrider.message.Format;
import java.util.List;
import java.util.Map;

/** The dialects of the platforms. */
public final class Dialects {
  /** HTML with the few tags Telegram knows. */
  public static final Dialect TELEGRAM_HTML = switchable(Html.TELEGRAM);

  /** Slack's mrkdwn. */
  public static final Dialect SLACK = dialect(MarkerNotation.SLACK);

  public static final Dialect DISCORD = dialect(Lightweight.DISCORD);

  /** HTML for {@code formatted_body}; {@code plain} is for {@code body}. */
  public static final Dialect MATRIX = switchable(Html.MATRIX);

  public static final Dialect WHATSAPP = dialect(MarkerNotation.WHATSAPP);

  /** Plain text with styles beside it, in signal-cli's notation. */
  public static final Dialect SIGNAL = switchable(Plain.SIGNAL);

  public static final Dialect TEAMS = dialect(Lightweight.TEAMS);

  /** What Google calls MARKUP_SYNTAX_CHAT. */
  public static final Dialect GOOGLE_CHAT = dialect(MarkerNotation.GOOGLE_CHAT);

  /** Message Styling; a stanza can say that its text has none. */
  public static final Dialect XMPP = switchable(MarkerNotation.XMPP);

  public static final Dialect MATTERMOST = dialect(Lightweight.MATTERMOST);

  /** The markdown of cards; text without markup goes another way. */
  public static final Dialect FEISHU = switchable(Lightweight.FEISHU);

  /** Text alone: LINE, SMS and the like. */
  public static final Dialect PLAIN = switchable(Plain.ASCII);

  /** Text with links. */
  public static final Dialect SYNOLOGY = dialect(Plain.SYNOLOGY);

  /** Text alone, each part one line. */
  public static final Dialect IRC = new Notated(Plain.IRC, Plain.IRC, false, true);

  /** HTML; {@code plain} is the other alternative. */
  public static final Dialect EMAIL = switchable(Html.EMAIL);

  /** All of them, by the name of the platform or kind of platform. */
  public static final Map<String, Dialect> NAMED =
      Map.ofEntries(
          Map.entry("telegram", TELEGRAM_HTML),
          Map.entry("slack", SLACK),
          Map.entry("discord", DISCORD),
          Map.entry("matrix", MATRIX),
          Map.entry("whatsapp", WHATSAPP),
          Map.entry("signal", SIGNAL),
          Map.entry("teams", TEAMS),
          Map.entry("googlechat", GOOGLE_CHAT),
          Map.entry("mattermost", MATTERMOST),
          Map.entry("feishu", FEISHU),
          Map.entry("synology", SYNOLOGY),
          Map.entry("plain", PLAIN),
          Map.entry("irc", IRC),
          Map.entry("xmpp", XMPP),
          Map.entry("email", EMAIL));

  private Dialects() {}

  /** Of a platform that always reads markup. */
  private static Dialect dialect(Notation notation) {
    return new Notated(notation, notation, false, false);
  }

  /** Of a platform that can be told that a text has none. */
  private static Dialect switchable(Notation notation) {
    return new Notated(notation, Plain.ASCII, true, false);
  }

  /**
   * @param off how text without markup is written
   * @param verbatim whether text without markup may be sent without looking at it
   * @param eachLine whether a part is one line
   */
  private record Notated(Notation notation, Notation off, boolean verbatim, boolean eachLine)
      implements Dialect {

    @Override
    public List<Written> write(String text, Format format, TextLimit limit) {
      return switch (format) {
        case MARKDOWN -> Parts.of(Markdown.read(text), notation, limit, eachLine);
        case PLAIN ->
            asItIs(text, limit)
                ? List.of(Written.plain(text))
                : Parts.of(text, off, limit, eachLine);
        case NATIVE -> text.isBlank() ? List.of() : List.of(new Written(text, text, List.of()));
      };
    }

    private boolean asItIs(String text, TextLimit limit) {
      return verbatim
          && limit.split() == Split.LENGTH
          && !text.isBlank()
          && limit.unit().size(text) <= limit.size();
    }
  }
}
