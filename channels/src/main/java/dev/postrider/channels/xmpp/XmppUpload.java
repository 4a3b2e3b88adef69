package dev.postrider.channels.xmpp;

import dev.postrider.channel.FileHandle;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.UploadResult;
import dev.postrider.channels.WebAddress;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Brings files to where the server lets its people keep them (XEP-0363). */
final class XmppUpload {
  private static final String UPLOAD = "urn:xmpp:http:upload:0";
  private static final String ITEMS = "http://jabber.org/protocol/disco#items";

  /** Servers do not say how long they keep a file; those we know keep it for days. */
  private static final Duration KEPT = Duration.ofHours(24);

  /** What a server may have us send along (XEP-0363, 5.1). */
  private static final Set<String> HEADERS = Set.of("authorization", "cookie", "expires");

  private final HttpSender http;
  private final boolean plain;
  private volatile @Nullable Jid service;

  /**
   * @param plain whether an address without TLS will do
   */
  XmppUpload(HttpSender http, boolean plain) {
    this.http = http;
    this.plain = plain;
  }

  UploadResult upload(XmppSession session, PartFile file) throws IOException {
    PartFile.Bytes bytes = file.bytes();
    Jid at = service(session);
    if (at == null || bytes == null) {
      return failed(
          new Outcome.Rejected(Blame.MESSAGE, "the server has no place for files (XEP-0363)"));
    }
    String type =
        file.attachment().type() == null ? "application/octet-stream" : file.attachment().type();
    XmlElement answer =
        session.ask(
            "get",
            at,
            XmlElement.of("request", UPLOAD)
                .with("filename", name(file))
                .with("size", bytes.size())
                .with("content-type", type));
    if (answer == null) {
      return failed(new Outcome.NotSent(at + " does not answer"));
    }
    if (answer.child("error", XmlElement.CLIENT) instanceof XmlElement error) {
      return failed(refusal(answer, error));
    }
    XmlElement slot = answer.child("slot", UPLOAD);
    XmlElement put = slot == null ? null : slot.child("put", UPLOAD);
    XmlElement get = slot == null ? null : slot.child("get", UPLOAD);
    URI to = put == null ? null : address(put.get("url", ""));
    if (put == null || to == null || get == null || address(get.get("url", "")) == null) {
      return failed(new Outcome.Rejected(Blame.MESSAGE, at + " names no address with https"));
    }
    HttpCall call = HttpCall.put(to).file(type, bytes);
    for (XmlElement header : put.all("header", UPLOAD)) {
      String name = header.get("name", "").strip();
      String value = header.text().replaceAll("[\\r\\n]", "");
      if (HEADERS.contains(name.toLowerCase(java.util.Locale.ROOT))) {
        call = call.header(name, value);
      }
    }
    return switch (http.send(call)) {
      case HttpResult.Failed failed -> failed(failed.outcome());
      case HttpResult.Response done when done.status() == 200 || done.status() == 201 ->
          new UploadResult.Done(new FileHandle(get.get("url", ""), KEPT));
      case HttpResult.Response other ->
          failed(
              new Outcome.NotSent(
                  to.getHost()
                      + " does not take the file: "
                      + other.status()
                      + " "
                      + other.excerpt()));
    };
  }

  private static Outcome refusal(XmlElement answer, XmlElement error) {
    String cause = XmppVerdict.describe(answer);
    XmlElement large = error.child("file-too-large", UPLOAD);
    if (large != null) {
      String most = large.textOf("max-file-size", UPLOAD);
      return new Outcome.Rejected(
          Blame.MESSAGE, cause + "; the server takes files of up to " + most + " bytes");
    }
    Outcome outcome = XmppVerdict.of(answer, false);
    return outcome instanceof Outcome.Rejected
        ? new Outcome.Rejected(Blame.MESSAGE, cause)
        : outcome;
  }

  private static UploadResult failed(Outcome outcome) {
    return new UploadResult.Failed(outcome);
  }

  private static String name(PartFile file) {
    String name = file.attachment().filename();
    String safe = name == null ? "" : name.replaceAll("[/\\\\\\p{Cntrl}]", "_").strip();
    return safe.isEmpty() ? "file" : safe;
  }

  private @Nullable URI address(String url) {
    URI uri = WebAddress.of(url);
    return uri != null && ("https".equals(uri.getScheme()) || plain) ? uri : null;
  }

  /** Who takes files: the server itself, or a service of its. Asked once. */
  private @Nullable Jid service(XmppSession session) throws IOException {
    Jid known = service;
    if (known != null) {
      return known;
    }
    Jid server = new Jid("", session.self().domain(), "");
    List<Jid> candidates = new ArrayList<>(List.of(server));
    XmlElement items = session.ask("get", server, XmlElement.of("query", ITEMS));
    XmlElement list = items == null ? null : items.child("query", ITEMS);
    if (list != null) {
      for (XmlElement item : list) {
        if (Jid.parse(item.get("jid")) instanceof Jid one) {
          candidates.add(one);
        }
      }
    }
    for (Jid one : candidates) {
      XmlElement info = session.ask("get", one, XmlElement.of("query", Rooms.DISCO));
      XmlElement query = info == null ? null : info.child("query", Rooms.DISCO);
      if (query != null
          && query.all("feature", Rooms.DISCO).stream()
              .anyMatch(feature -> feature.get("var", "").equals(UPLOAD))) {
        service = one;
        return one;
      }
    }
    return null;
  }
}
