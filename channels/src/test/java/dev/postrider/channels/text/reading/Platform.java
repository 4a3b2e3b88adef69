package dev.postrider.channels.text.reading;

import dev.postrider.channel.Dialect;
import dev.postrider.channels.text.Dialects;
import java.util.function.UnaryOperator;

/** The dialects, each with an independent reader that says what its platform would show. */
public enum Platform {
  TELEGRAM(Dialects.TELEGRAM_HTML, "html", text -> HtmlReader.read(text, HtmlReader.TELEGRAM)),
  SLACK(Dialects.SLACK, "txt", MarkerReader.SLACK::read),
  DISCORD(Dialects.DISCORD, "md", DiscordReader::read),
  MATRIX(Dialects.MATRIX, "html", text -> HtmlReader.read(text, HtmlReader.WHOLE)),
  WHATSAPP(Dialects.WHATSAPP, "txt", MarkerReader.WHATSAPP::read),
  SIGNAL(Dialects.SIGNAL, "txt", UnaryOperator.identity()),
  TEAMS(Dialects.TEAMS, "md", text -> MarkdownReader.read(text, MarkdownReader.WITHOUT_TABLES)),
  GOOGLE_CHAT(Dialects.GOOGLE_CHAT, "txt", MarkerReader.GOOGLE_CHAT::read),
  MATTERMOST(
      Dialects.MATTERMOST, "md", text -> MarkdownReader.read(text, MarkdownReader.WITH_TABLES)),
  FEISHU(Dialects.FEISHU, "md", text -> MarkdownReader.read(text, MarkdownReader.WITH_TABLES)),
  SYNOLOGY(
      Dialects.SYNOLOGY, "txt", text -> text.replaceAll("<https?://[^|>\\s]*\\|([^>\n]*)>", "$1")),
  PLAIN(Dialects.PLAIN, "txt", UnaryOperator.identity()),
  IRC(Dialects.IRC, "txt", UnaryOperator.identity()),
  XMPP(Dialects.XMPP, "txt", MarkerReader.XMPP::read),
  EMAIL(Dialects.EMAIL, "html", text -> HtmlReader.read(text, HtmlReader.WHOLE));

  private final Dialect dialect;
  private final String suffix;
  private final UnaryOperator<String> reader;

  Platform(Dialect dialect, String suffix, UnaryOperator<String> reader) {
    this.dialect = dialect;
    this.suffix = suffix;
    this.reader = reader;
  }

  public Dialect dialect() {
    return dialect;
  }

  public String suffix() {
    return suffix;
  }

  /** What people see of a part with markup; of one without, the text is what they see. */
  public String seen(Dialect.Written part) {
    return switch (this) {
      case TELEGRAM, MATRIX, FEISHU, EMAIL, XMPP ->
          part.plain() == null ? part.text() : reader.apply(part.text());
      case SLACK, DISCORD, WHATSAPP, SIGNAL, TEAMS, GOOGLE_CHAT, MATTERMOST, SYNOLOGY, PLAIN, IRC ->
          reader.apply(part.text());
    };
  }
}
