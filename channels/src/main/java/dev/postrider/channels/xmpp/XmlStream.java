package dev.postrider.channels.xmpp;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which both sides write elements of XML, one after the other (RFC 6120). One
 * thread reads; writing is thread-safe. Blocks in real time. Closing it from another thread ends
 * whoever reads or writes.
 */
final class XmlStream implements AutoCloseable {
  static final String STREAMS = "http://etherx.jabber.org/streams";

  /** Servers let nobody send as much in one stanza. */
  private static final int LONGEST = 1 << 20;

  private static final int DEEPEST = 100;

  /** For a farewell that nobody may be reading. */
  private static final Duration TO_TAKE_LEAVE = Duration.ofSeconds(1);

  private static final XMLInputFactory PARSERS = parsers();

  private final String host;
  private final ReentrantLock writing = new ReentrantLock();

  /** What is read from and written to. */
  private volatile Socket socket;

  /** What is under its TLS; the same without. */
  private volatile Socket raw;

  private @Nullable XMLStreamReader parser;
  private @Nullable Meter input;
  private volatile @Nullable String closedBecause;

  XmlStream(String host) {
    this.host = host;
    raw = new Socket(); // not connected
    socket = raw;
  }

  /** No document types, and nothing that is elsewhere: neither belongs into a stream. */
  private static XMLInputFactory parsers() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
    return factory;
  }

  /** The other side has ended the stream, and said why. */
  static final class StreamError extends IOException {
    private static final long serialVersionUID = 1L;
    private final String condition;

    StreamError(String host, String condition, String text) {
      super(
          host + " ends the connection: " + condition + (text.isEmpty() ? "" : " (" + text + ")"));
      this.condition = condition;
    }

    String condition() {
      return condition;
    }
  }

  /** Connects to the first of these that is there. */
  void connect(List<ServerAddress> servers, Duration patience) throws IOException {
    int millis = Math.toIntExact(patience.toMillis());
    IOException last = new IOException("nobody serves " + host);
    for (ServerAddress server : servers) {
      Socket trying = new Socket();
      use(trying);
      try {
        trying.setTcpNoDelay(true);
        trying.setKeepAlive(true);
        trying.connect(new InetSocketAddress(server.host(), server.port()), millis);
        trying.setSoTimeout(millis);
        return;
      } catch (IOException e) {
        trying.close();
        last =
            new IOException(
                "nobody at %s port %d: %s".formatted(server.host(), server.port(), e.getMessage()),
                e);
      }
    }
    throw last;
  }

  /** Takes another socket, which whoever closes the stream will close. */
  private void use(Socket other) throws IOException {
    raw = other;
    socket = other;
    if (closedBecause != null) { // in the meantime
      other.close();
      throw new IOException(closedBecause);
    }
  }

  /**
   * Goes on over TLS, with nobody else than the domain. What was read before and not taken is
   * forgotten: it was not protected.
   *
   * @param tls whom to believe; null for those whom the system believes
   */
  void secure(@Nullable SSLContext tls, String domain) throws IOException {
    SSLSocketFactory factory =
        tls == null ? (SSLSocketFactory) SSLSocketFactory.getDefault() : tls.getSocketFactory();
    try {
      Socket plain = socket;
      SSLSocket secured =
          (SSLSocket)
              factory.createSocket(plain, java.net.IDN.toASCII(domain), plain.getPort(), true);
      SSLParameters parameters = secured.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      parameters.setApplicationProtocols(new String[] {"xmpp-client"});
      secured.setSSLParameters(parameters);
      secured.setSoTimeout(plain.getSoTimeout());
      secured.startHandshake();
      socket = secured;
    } catch (IOException e) {
      close("no TLS");
      throw new IOException(host + " cannot be trusted to be " + domain + ": " + e.getMessage(), e);
    }
  }

  /** What protects the stream; null if nothing does. */
  @Nullable SSLSession tls() {
    return socket instanceof SSLSocket secured ? secured.getSession() : null;
  }

  /** Begins a stream, on a new connection or anew on this one, and gives what the server offers. */
  XmlElement begin(String domain) throws IOException {
    write(
        "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='"
            + STREAMS
            + "' version='1.0' to='"
            + XmlElement.escaped(domain)
            + "'>");
    Meter meter = new Meter(socket.getInputStream());
    input = meter;
    try {
      XMLStreamReader fresh = PARSERS.createXMLStreamReader(meter, "UTF-8");
      parser = fresh;
      while (fresh.next() != XMLStreamConstants.START_ELEMENT) {
        // A comment, or space.
      }
      if (!fresh.getLocalName().equals("stream") || !STREAMS.equals(fresh.getNamespaceURI())) {
        throw new IOException(host + " does not speak XMPP");
      }
    } catch (XMLStreamException e) {
      throw broken(e);
    }
    XmlElement features = next();
    if (!features.is("features", STREAMS)) {
      throw new IOException(host + " offers nothing, but says " + features.name());
    }
    return features;
  }

  /** From now on nobody knows when the next element comes. */
  void patient() throws IOException {
    socket.setSoTimeout(0);
  }

  /**
   * The next whole element.
   *
   * @throws StreamError if the server ends the stream with an error
   * @throws IOException if the connection ends, or an element does not
   */
  XmlElement next() throws IOException {
    XMLStreamReader from = parser;
    Meter meter = input;
    if (from == null || meter == null) {
      throw new IOException("there is no stream with " + host + " yet");
    }
    try {
      while (true) {
        switch (from.next()) {
          case XMLStreamConstants.START_ELEMENT -> {
            XmlElement element = element(from, 0, host);
            meter.start();
            if (element.is("error", STREAMS)) {
              throw streamError(element);
            }
            return element;
          }
          case XMLStreamConstants.END_ELEMENT, XMLStreamConstants.END_DOCUMENT ->
              throw new EOFException(host + " has ended the stream");
          default -> meter.start(); // white space: a sign of life
        }
      }
    } catch (XMLStreamException e) {
      throw broken(e);
    }
  }

  /** Reads the element that has just begun. */
  static XmlElement element(XMLStreamReader from, int depth, String host)
      throws XMLStreamException, IOException {
    if (depth > DEEPEST) {
      throw new IOException(host + " sends elements without an end");
    }
    String name = from.getLocalName();
    String namespace = from.getNamespaceURI() == null ? "" : from.getNamespaceURI();
    Map<String, String> attributes = new LinkedHashMap<>();
    for (int i = 0; i < from.getAttributeCount(); i++) {
      String prefix = from.getAttributePrefix(i);
      String local = from.getAttributeLocalName(i);
      attributes.put(
          prefix == null || prefix.isEmpty() ? local : prefix + ":" + local,
          from.getAttributeValue(i));
    }
    StringBuilder text = new StringBuilder();
    List<XmlElement> children = new ArrayList<>();
    while (true) {
      switch (from.next()) {
        case XMLStreamConstants.START_ELEMENT -> children.add(element(from, depth + 1, host));
        case XMLStreamConstants.END_ELEMENT -> {
          return new XmlElement(name, namespace, attributes, text.toString(), children);
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
            text.append(from.getText());
        default -> throw new IOException(host + " sends XML that has no place in a stream");
      }
    }
  }

  private StreamError streamError(XmlElement error) {
    String condition = "undefined-condition";
    String text = "";
    for (XmlElement child : error) {
      if (child.name().equals("text")) {
        text = child.text();
      } else if (child.namespace().equals("urn:ietf:params:xml:ns:xmpp-streams")) {
        condition = child.name();
      }
    }
    return new StreamError(host, condition, text);
  }

  private IOException broken(XMLStreamException failure) {
    String because = closedBecause;
    if (because != null) {
      return new IOException(because);
    }
    return failure.getNestedException() instanceof IOException cause
        ? new IOException(host + ": " + cause.getMessage(), cause)
        : new EOFException(host + " has ended the connection, or sends no XML");
  }

  /**
   * Writes, if the stream is not closed.
   *
   * @throws NotWritten if not a byte went out
   */
  void write(String xml) throws IOException {
    writing.lock();
    try {
      String because = closedBecause;
      if (because != null) {
        throw new NotWritten(because);
      }
      OutputStream out = socket.getOutputStream();
      out.write(xml.getBytes(StandardCharsets.UTF_8));
      out.flush();
    } finally {
      writing.unlock();
    }
  }

  /** The stream had been closed before. */
  static final class NotWritten extends IOException {
    private static final long serialVersionUID = 1L;

    NotWritten(String because) {
      super(because);
    }
  }

  /** Whether somebody is writing, and perhaps cannot because nobody reads. */
  boolean isBusy() {
    return writing.isLocked();
  }

  /**
   * Ends the connection at once, for whoever reads and writes: without the farewell of TLS, which
   * would wait for a peer that reads nothing any more.
   */
  void close(String because) {
    if (closedBecause == null) {
      closedBecause = because;
    }
    try {
      raw.close();
    } catch (IOException _) {
      // It is of no use any more.
    }
  }

  /** Takes leave, if that takes no time, and ends the connection. */
  @Override
  public void close() {
    if (closedBecause == null && parser != null && !isBusy()) {
      try {
        Thread.ofVirtual().name("xmpp " + host).start(this::takeLeave).join(TO_TAKE_LEAVE);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt(); // then without
      }
    }
    close("the connection is closed");
  }

  private void takeLeave() {
    try {
      write("</stream:stream>");
    } catch (IOException _) {
      // It has ended by itself.
    }
  }

  /** Counts what comes, and takes no more than one element may have. */
  private final class Meter extends FilterInputStream {
    private long read;

    Meter(InputStream in) {
      super(in);
    }

    void start() {
      read = 0;
    }

    @Override
    public int read() throws IOException {
      int one = super.read();
      counted(one < 0 ? 0 : 1);
      return one;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
      int some = super.read(into, from, most);
      counted(Math.max(0, some));
      return some;
    }

    private void counted(int bytes) throws IOException {
      read += bytes;
      if (read > LONGEST) {
        throw new IOException(host + " sends an element without an end");
      }
    }
  }
}
