package dev.postrider.channels.xmpp;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * A server on the loopback address that lets everybody in and misbehaves as the test likes. What
 * the test does not answer itself, it answers as a polite server does.
 */
final class FakeXmpp implements AutoCloseable {
  static final String PASSWORD = "pencil";

  private final ServerSocket listener;
  private final Set<Socket> callers = ConcurrentHashMap.newKeySet();
  final BlockingQueue<XmlElement> messages = new LinkedBlockingQueue<>();
  final List<XmlElement> heard = new CopyOnWriteArrayList<>();
  final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  final AtomicInteger mostOpen = new AtomicInteger();
  private volatile Function<XmlElement, @Nullable String> answers = _ -> null;
  private volatile String offers = "<sm xmlns='urn:xmpp:sm:3'/>";
  private volatile @Nullable OutputStream out;
  private volatile @Nullable CountDownLatch deaf;
  private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

  FakeXmpp() throws IOException {
    this(ServerSocketFactory.getDefault());
  }

  /** Over TLS from the first byte. */
  FakeXmpp(SSLContext tls) throws IOException {
    this(tls.getServerSocketFactory());
  }

  private FakeXmpp(ServerSocketFactory sockets) throws IOException {
    listener = sockets.createServerSocket();
    listener.setReceiveBufferSize(1 << 16); // what it does not read is soon felt
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Thread.startVirtualThread(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Answers with this where it is not null; empty is no answer. */
  FakeXmpp answer(Function<XmlElement, @Nullable String> how) {
    answers = how;
    return this;
  }

  /** What it offers after the login besides a resource. */
  FakeXmpp offer(String features) {
    offers = features;
    return this;
  }

  /** Reads the beginning of the next message, and no more; done when it has. */
  CountDownLatch stopReading() {
    CountDownLatch begun = new CountDownLatch(1);
    deaf = begun;
    return begun;
  }

  /** Says something by itself, on the newest connection. */
  void say(String xml) throws IOException {
    OutputStream newest = out;
    if (newest != null) {
      say(newest, xml);
    }
  }

  private static void say(OutputStream to, String xml) throws IOException {
    to.write(xml.getBytes(StandardCharsets.UTF_8));
    to.flush();
  }

  void cut() {
    callers.forEach(FakeXmpp::end);
  }

  private static void end(Socket caller) {
    try {
      caller.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  XmlElement message() throws InterruptedException {
    XmlElement message = messages.poll(2, TimeUnit.MINUTES);
    if (message == null) {
      throw new AssertionError("no message came");
    }
    return message;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket caller = listener.accept();
        callers.add(caller);
        connections.incrementAndGet();
        Thread.startVirtualThread(() -> serve(caller));
      } catch (IOException _) {
        // closed
      }
    }
  }

  private void serve(Socket caller) {
    try (caller) {
      mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
      out = caller.getOutputStream();
      Conversation conversation = new Conversation();
      while (conversation.begin(caller)) {
        // a stream after the other
      }
    } catch (IOException | XMLStreamException _) {
      // The caller has gone.
    } finally {
      open.decrementAndGet();
    }
  }

  private final class Conversation {
    private boolean known;
    private int handled;
    private String first = "";
    private String challenge = "";

    /** Tells whether another stream follows on the connection. */
    boolean begin(Socket caller) throws IOException, XMLStreamException {
      XMLStreamReader in =
          XMLInputFactory.newDefaultFactory()
              .createXMLStreamReader(caller.getInputStream(), "UTF-8");
      while (in.next() != XMLStreamConstants.START_ELEMENT) {
        // until the stream begins
      }
      OutputStream back = caller.getOutputStream(); // another connection may have come meanwhile
      say(
          back,
          "<?xml version='1.0'?><stream:stream xmlns='jabber:client' from='localhost' id='1'"
              + " xmlns:stream='http://etherx.jabber.org/streams' version='1.0'><stream:features>"
              + (known
                  ? "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>" + offers
                  : "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>"
                      + "<mechanism>SCRAM-SHA-1</mechanism><mechanism>PLAIN</mechanism>"
                      + "</mechanisms>")
              + "</stream:features>");
      while (in.hasNext()) {
        if (in.next() == XMLStreamConstants.START_ELEMENT) {
          hearNoMore(in.getLocalName());
          XmlElement element = XmlStream.element(in, 0, "the caller");
          heard.add(element);
          String answer = answers.apply(element);
          say(back, answer == null ? politely(element) : answer);
          if (List.of("message", "iq", "presence").contains(element.name())) {
            handled++;
          }
          if (element.name().equals("message")) {
            messages.add(element);
          }
          if (element.name().equals("response")) {
            known = true;
            return true;
          }
        }
      }
      return false;
    }

    private void hearNoMore(String element) {
      CountDownLatch begun = deaf;
      if (begun != null && element.equals("message")) {
        begun.countDown();
        ended.join();
      }
    }

    private String politely(XmlElement element) {
      return switch (element.name()) {
        case "auth" -> {
          first = decoded(element.text()).substring(3);
          challenge = first.replaceFirst(".*r=", "r=") + "server,s=c2FsdA==,i=4096";
          yield sasl("challenge", challenge);
        }
        case "response" -> sasl("success", "v=" + signature(decoded(element.text())));
        case "enable" -> {
          handled = 0; // from here on both count
          yield "<enabled xmlns='urn:xmpp:sm:3' id='s1' resume='true'/>";
        }
        case "resume" -> "<failed xmlns='urn:xmpp:sm:3'/>";
        case "r" -> "<a xmlns='urn:xmpp:sm:3' h='" + handled + "'/>";
        case "iq" -> iq(element);
        default -> "";
      };
    }

    private String iq(XmlElement iq) {
      String head = "<iq id='%s' from='%s' ".formatted(iq.get("id"), iq.get("to", "bot@localhost"));
      if (iq.get("id", "").equals("bind")) {
        return head
            + "type='result'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'>"
            + "<jid>bot@localhost/postrider</jid></bind></iq>";
      }
      return iq.get("type", "").equals("result") ? "" : head + "type='result'/>";
    }

    private String signature(String last) {
      try {
        byte[] salted =
            SecretKeyFactory.getInstance("PBKDF2WithHmacSHA1")
                .generateSecret(
                    new PBEKeySpec(
                        PASSWORD.toCharArray(), "salt".getBytes(StandardCharsets.UTF_8), 4096, 160))
                .getEncoded();
        String all = first + "," + challenge + "," + last.replaceFirst(",p=.*", "");
        return Base64.getEncoder().encodeToString(hmac(hmac(salted, "Server Key"), all));
      } catch (GeneralSecurityException e) {
        throw new AssertionError(e);
      }
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
      Mac mac = Mac.getInstance("HmacSHA1");
      mac.init(new SecretKeySpec(key, "HmacSHA1"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String sasl(String name, String text) {
    return "<%s xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>%s</%s>"
        .formatted(
            name, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)), name);
  }

  private static String decoded(String text) {
    return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    ended.complete(null);
    listener.close();
    cut();
  }
}
