package dev.postrider.channels.irc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.testkit.internal.peers.IrcServer;
import dev.postrider.testkit.internal.peers.IrcWitness;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a plain server that somebody else wrote, which a PING behind each line must do for. */
@VerifiedAgainst(value = "ngIRCd 26.1", channels = "irc")
class NgircdTest {
  @TempDir Path folder;

  @Test
  void lines_are_acknowledged_refused_and_heard_also_after_the_server_was_restarted()
      throws Exception {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
    try (IrcServer server = IrcServer.ngircd(folder);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      assertThat(rig.link.probe()).isInstanceOf(Probe.Healthy.class);
      CompletableFuture<Exception> end = rig.connected();
      try (IrcWitness ann = new IrcWitness(server.port(), "ann", "#room")) {
        assertThat(rig.send("#room", "one"))
            .isInstanceOfSatisfying(
                Outcome.Delivered.class, it -> assertThat(it.receipt().accepted()).isTrue());
        assertThat(rig.send("nobody", "x"))
            .isEqualTo(new Outcome.Rejected(Blame.TARGET, "401 No such nick or channel name"));
        ann.await(line -> line.endsWith("PRIVMSG #room :one"));
        ann.say("PRIVMSG rider :hello");
        ann.sync();
        assertThat(rig.link.probe()).isEqualTo(new Probe.Healthy("rider at 127.0.0.1"));
        assertThat(rig.inlet.arrivals()).extracting(it -> it.text()).containsExactly("hello");
      }
      server.close();
      assertThat(IrcRig.cause(end)).contains("127.0.0.1");
      assertThat(rig.send("#room", "two")).isInstanceOf(Outcome.Unreachable.class);
      server.start();
      rig.connected();
      try (IrcWitness ann = new IrcWitness(server.port(), "ann", "#room")) {
        assertThat(rig.send("#room", "two")).isInstanceOf(Outcome.Delivered.class);
        ann.await(line -> line.endsWith("PRIVMSG #room :two"));
      }
    }
  }
}
