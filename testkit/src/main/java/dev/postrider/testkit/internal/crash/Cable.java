package dev.postrider.testkit.internal.crash;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The network between one node and its database: a port of its own, from which everything is passed
 * on. It can be cut, and it can be clogged: then connections stay open and nothing comes through,
 * in either direction, until it is healed; or lose answers only. What was held up arrives late, as
 * it does with TCP.
 */
public final class Cable implements AutoCloseable {
  private static final int CHUNK = 16 * 1024;

  private enum State {
    WHOLE,
    CUT,
    CLOGGED,
    MUTE
  }

  private final ServerSocket listener;
  private volatile int target;
  private final Set<Socket> ends = ConcurrentHashMap.newKeySet();
  private State state = State.WHOLE; // guarded by this

  private Cable(ServerSocket listener, int target) {
    this.listener = listener;
    this.target = target;
  }

  /** Lays a cable to this port of the loopback address. */
  public static Cable to(int target) {
    try {
      ServerSocket listener = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
      Cable cable = new Cable(listener, target);
      Thread.ofVirtual().name("cable").start(cable::accept);
      return cable;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Resets every connection, and every new one too. */
  public void cut() {
    change(State.CUT);
    ends.forEach(Cable::reset);
  }

  /** Passes nothing on; nobody is told. */
  public void clog() {
    change(State.CLOGGED);
  }

  /** What is said arrives, but answers are lost. */
  public void loseAnswers() {
    change(State.MUTE);
  }

  /** Leads elsewhere from now on; connections that there are end. */
  public void moveTo(int elsewhere) {
    cut();
    target = elsewhere;
    heal();
  }

  public void heal() {
    change(State.WHOLE);
  }

  private synchronized void change(State to) {
    state = to;
    notifyAll();
  }

  private synchronized void awaitNews() {
    try {
      while (state == State.CLOGGED) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isMute() {
    return state == State.MUTE;
  }

  /** Waits while it is clogged; an exception if it is cut. */
  private synchronized void awaitPassage() throws IOException {
    awaitNews();
    if (state == State.CUT) {
      throw new IOException("the cable is cut");
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket node = listener.accept();
        Thread.ofVirtual().name("cable").start(() -> connect(node));
      } catch (IOException e) {
        if (!listener.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void connect(Socket node) {
    ends.add(node);
    try {
      awaitPassage();
      Socket database = new Socket(InetAddress.getLoopbackAddress(), target);
      database.setTcpNoDelay(true);
      node.setTcpNoDelay(true);
      ends.add(database);
      Thread.ofVirtual().name("cable").start(() -> pass(database, node, true));
      pass(node, database, false);
    } catch (IOException e) {
      reset(node);
    }
  }

  /** Passes one direction on until it ends; the end of one is the end of both. */
  private void pass(Socket from, Socket to, boolean answers) {
    byte[] buffer = new byte[CHUNK];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        awaitPassage();
        if (!answers || !isMute()) {
          out.write(buffer, 0, read);
        }
      }
      awaitPassage();
      to.close();
      from.close();
    } catch (IOException e) {
      awaitNews(); // not even that a connection was broken comes through
      reset(from);
      reset(to);
    } finally {
      ends.remove(from);
      ends.remove(to);
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // It is gone already.
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }
}
