package dev.postrider.channels.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.PartFile;
import dev.postrider.channels.DeafPort;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MultipartTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final long BIG = 64L << 20;

  private final FakePlatform platform = FakePlatform.start();
  private final HttpSender sender = new HttpSender(LONG, LONG, Secrets.of());
  private final List<AutoCloseable> open = new ArrayList<>(List.of(platform, sender));

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
  }

  private HttpResult post(int port, Multipart form) {
    URI uri = URI.create("http://127.0.0.1:" + port + "/upload");
    return sender.send(HttpCall.post(uri).header("X-Extra", "1").form(form));
  }

  private static Multipart with(PartFile.Bytes file) {
    return Multipart.builder("a key").file("photo", "a.jpg", "image/jpeg", file).build();
  }

  private record Given(byte[] bytes) implements PartFile.Bytes {
    Given(String text) {
      this(text.getBytes(UTF_8));
    }

    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes);
    }
  }

  /** A file that is made while it is read, and may turn out to be unreadable at some point. */
  private static final class Made implements PartFile.Bytes {
    final AtomicLong read = new AtomicLong();
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
    private final long size;
    private final long readable;

    Made(long size, long readable) {
      this.size = size;
      this.readable = readable;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public InputStream open() {
      opened.incrementAndGet();
      return new InputStream() {
        @Override
        public int read() {
          throw new AssertionError("one byte at a time is too slow");
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
          if (read.get() >= readable && readable < size) {
            throw new IOException("the disk is broken");
          }
          int count = (int) Math.min(length, readable - read.get());
          read.addAndGet(count);
          return count == 0 ? -1 : count;
        }

        @Override
        public void close() {
          closed.incrementAndGet();
        }
      };
    }
  }

  @Test
  void a_form_goes_out_byte_for_byte_as_a_browser_would_write_it() {
    Multipart form =
        Multipart.builder("a key")
            .field("chat_id", "42")
            .field("caption", "grüße\n--\r\n")
            .file("a\"b\r\nc", "bild \"ü\" \r\n.jpg", "image/jpeg", new Given("\u0000bytes\r\n"))
            .file("d", "e", "x/y\r\nX-Evil: 1", new Given(""))
            .file("f", "g", null, new Given("h"))
            .build();
    assertThat(post(platform.port(), form)).isInstanceOf(HttpResult.Response.class);
    Request request = platform.onlyRequest();
    String line = "--89c715bb056b1441b137ead5f533c9a2";
    String expected =
        """
        LINE
        Content-Disposition: form-data; name="chat_id"

        42
        LINE
        Content-Disposition: form-data; name="caption"

        CAPTION
        LINE
        Content-Disposition: form-data; name="a%22b%0D%0Ac"; filename="bild %22ü%22 %0D%0A.jpg"
        Content-Type: image/jpeg

        BYTES
        LINE
        Content-Disposition: form-data; name="d"; filename="e"
        Content-Type: application/octet-stream


        LINE
        Content-Disposition: form-data; name="f"; filename="g"
        Content-Type: application/octet-stream

        h
        LINE--
        """
            .replace("\n", "\r\n")
            .replace("CAPTION", "grüße\n--\r\n")
            .replace("BYTES", "\u0000bytes\r\n")
            .replace("LINE", line);
    assertThat(request.text()).isEqualTo(expected);
    assertThat(request.headers())
        .containsEntry("content-type", "multipart/form-data; boundary=" + line.substring(2))
        .containsEntry("content-length", String.valueOf(expected.getBytes(UTF_8).length))
        .containsEntry("x-extra", "1")
        .doesNotContainKey("transfer-encoding");
  }

  @Test
  void the_line_between_entries_depends_on_the_key_alone() {
    assertThat(Multipart.builder("a").build().contentType())
        .isEqualTo(Multipart.builder("a").field("b", "c").build().contentType())
        .isNotEqualTo(Multipart.builder("b").build().contentType())
        .matches("multipart/form-data; boundary=[0-9a-f]{32}");
  }

  @Test
  void the_more_a_form_holds_the_longer_it_may_take() {
    assertThat(PartFile.allowance(BIG)).isEqualTo(Duration.ofSeconds(256));
    platform.answer(Reply.json(200, "{}").after(Duration.ofMillis(700)));
    try (HttpSender hasty = new HttpSender(LONG, Duration.ofMillis(200), Secrets.of())) {
      URI uri = URI.create(platform.baseUrl());
      assertThat(hasty.send(HttpCall.post(uri).form(with(new Made(1 << 20, 1 << 20)))))
          .isInstanceOf(HttpResult.Response.class);
    }
  }

  /** Somebody who reads the head of a request, and then does as the test likes. */
  private int listener(Talk talk) throws IOException {
    ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    open.add(listener);
    Thread.startVirtualThread(
        () -> {
          try (Socket socket = listener.accept()) {
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
              head.append(new String(in.readNBytes(1), ISO_8859_1));
            }
            talk.over(socket, head.toString());
          } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    return listener.getLocalPort();
  }

  private interface Talk {
    void over(Socket socket, String head) throws IOException, InterruptedException;
  }

  private static void answer(Socket socket, String status) throws IOException {
    socket
        .getOutputStream()
        .write(("HTTP/1.1 " + status + "\r\nContent-Length: 2\r\n\r\n{}").getBytes(UTF_8));
  }

  @Test
  void a_big_file_is_read_no_faster_than_it_goes_out() throws Exception {
    AtomicLong arrived = new AtomicLong();
    AtomicLong lead = new AtomicLong();
    Made file = new Made(BIG, BIG);
    PartFile.Bytes watched =
        new PartFile.Bytes() {
          @Override
          public long size() {
            return file.size();
          }

          @Override
          public InputStream open() {
            return new FilterInputStream(file.open()) {
              @Override
              public int read(byte[] into, int offset, int length) throws IOException {
                lead.accumulateAndGet(file.read.get() - arrived.get(), Math::max);
                return super.read(into, offset, length);
              }
            };
          }
        };
    Multipart form = with(watched);
    int port =
        listener(
            (socket, _) -> {
              byte[] buffer = new byte[1 << 20];
              while (arrived.get() < form.length()) {
                arrived.addAndGet(socket.getInputStream().read(buffer));
              }
              answer(socket, "200 OK");
            });
    assertThat(post(port, form)).isInstanceOf(HttpResult.Response.class);
    assertThat(file.read).hasValue(BIG);
    assertThat(arrived).hasValue(form.length());
    // What the operating system keeps on both sides of the connection, and no more.
    assertThat(lead.get()).isLessThan(BIG / 4);
    assertThat(file.closed).hasValue(1);
  }

  @Test
  void a_refused_connection_proves_that_nothing_was_sent() throws IOException {
    Made file = new Made(1000, 1000);
    try (DeafPort port = new DeafPort()) {
      assertThat(post(port.number(), with(file))).isInstanceOf(HttpResult.Unreachable.class);
    }
    assertThat(file.read).hasValue(0);
    assertThat(file.closed).hasValue(1);
  }

  @Test
  void a_file_that_is_not_there_is_not_sent_and_the_others_are_closed() {
    Made file = new Made(1000, 1000);
    PartFile.Bytes missing =
        new PartFile.Bytes() {
          @Override
          public long size() {
            return 1;
          }

          @Override
          public InputStream open() throws IOException {
            throw new FileNotFoundException("gone");
          }
        };
    Multipart form =
        Multipart.builder("k").file("a", "a", null, file).file("b", "b", null, missing).build();
    assertThat(post(platform.port(), form))
        .isEqualTo(new HttpResult.NotSent("a file cannot be read: FileNotFoundException: gone"));
    assertThat(file.closed).hasValue(1);
    assertThat(platform.requests()).isEmpty();
  }

  @Test
  void a_file_that_cannot_be_read_from_its_start_is_not_sent() {
    assertThat(post(platform.port(), with(new Made(1000, 0))))
        .isInstanceOfSatisfying(
            HttpResult.NotSent.class, it -> assertThat(it.cause()).contains("disk is broken"));
    assertThat(platform.requests()).isEmpty();
  }

  @Test
  void a_file_that_cannot_be_read_to_its_end_is_unknown() {
    assertThat(post(platform.port(), with(new Made(BIG, 1 << 20))))
        .isInstanceOf(HttpResult.Unknown.class);
    assertThat(platform.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {999, 1001})
  void a_file_of_another_size_than_it_said_never_counts_as_sent_or_as_not(long actual) {
    PartFile.Bytes liar =
        new PartFile.Bytes() {
          @Override
          public long size() {
            return 1000;
          }

          @Override
          public InputStream open() {
            return new ByteArrayInputStream(new byte[(int) actual]);
          }
        };
    assertThat(post(platform.port(), with(liar))).isInstanceOf(HttpResult.Unknown.class);
    assertThat(platform.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_connection_cut_in_the_middle_is_unknown(boolean reset) throws Exception {
    Made file = new Made(BIG, BIG);
    int port =
        listener(
            (socket, _) -> {
              socket.getInputStream().readNBytes(1 << 20);
              socket.setSoLinger(reset, 0);
            });
    assertThat(post(port, with(file))).isInstanceOf(HttpResult.Unknown.class);
    assertThat(file.opened).hasValue(1);
    assertThat(file.closed).hasValue(1);
    assertThat(file.read.get()).isLessThan(BIG);
  }

  @Test
  void an_answer_given_during_the_upload_counts() throws Exception {
    int port =
        listener(
            (socket, _) -> {
              answer(socket, "413 Too Large");
              socket.shutdownOutput();
              socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            });
    assertThat(post(port, with(new Made(BIG, BIG))))
        .isInstanceOfSatisfying(
            HttpResult.Response.class, it -> assertThat(it.status()).isEqualTo(413));
  }

  @Test
  void an_upload_nobody_waits_for_any_more_stops() throws Exception {
    CountDownLatch uploading = new CountDownLatch(1);
    int port =
        listener(
            (socket, _) -> {
              try {
                socket.getInputStream().readNBytes(1 << 20);
                uploading.countDown();
                while (socket.getInputStream().read(new byte[1 << 16]) >= 0) {}
              } catch (IOException _) {
                // as it should be
              }
            });
    Made file = new Made(BIG, BIG);
    Thread caller = Thread.startVirtualThread(() -> post(port, with(file)));
    uploading.await();
    caller.interrupt();
    caller.join();
    assertThat(file.closed).hasValue(1);
  }
}
