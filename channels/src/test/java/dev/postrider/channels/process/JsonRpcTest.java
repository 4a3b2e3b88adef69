package dev.postrider.channels.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channels.StillTime;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.process.JsonRpc.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class JsonRpcTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final StillTime time = new StillTime();
  private final List<JsonNode> said = new ArrayList<>();
  private String reply = "";
  private final JsonRpc rpc = new JsonRpc(this::answer, time);

  /** The other side: answers at once, if there is an answer. */
  private void answer(String line) throws IOException {
    if (reply.equals("broken")) {
      throw new IOException("broken pipe");
    }
    said.add(Json.readObject(line));
    if (!reply.isEmpty()) {
      String id = said.getLast().path("id").asString();
      rpc.heard("{\"jsonrpc\":\"2.0\",\"id\":\"" + id + "\"," + reply + "}");
    }
  }

  private Answer send() {
    return rpc.call("send", Map.of("message", "hello"), MINUTE);
  }

  @Test
  void a_call_gets_its_result() {
    reply = "\"result\":{\"timestamp\":17}";

    assertThat(send()).isEqualTo(new Answer.Result(Json.tree(Map.of("timestamp", 17))));

    assertThat(said.getFirst().path("method").asString()).isEqualTo("send");
    assertThat(said.getFirst().path("jsonrpc").asString()).isEqualTo("2.0");
    assertThat(said.getFirst().at("/params/message").asString()).isEqualTo("hello");
  }

  @Test
  void a_refusal_says_why() {
    reply = "\"error\":{\"code\":-1,\"message\":\"no such user\",\"data\":{\"a\":1}}";
    assertThat(send()).isEqualTo(new Answer.Refused(-1, "no such user", Json.tree(Map.of("a", 1))));
  }

  @Test
  void no_answer_leaves_it_open_and_a_broken_pipe_does_not() {
    assertThat(send()).isEqualTo(new Answer.Unknown("no answer to send within 60000 ms"));
    reply = "broken";
    assertThat(send()).isEqualTo(new Answer.NotAsked("broken pipe"));
    rpc.lost("signal-cli has ended with 1");
    reply = "";
    assertThat(send()).isEqualTo(new Answer.NotAsked("signal-cli has ended with 1"));
    assertThat(said).hasSize(1);
  }

  @Test
  void what_nobody_asked_for_is_given_back() {
    assertThat(rpc.heard("{\"jsonrpc\":\"2.0\",\"method\":\"receive\",\"params\":{\"a\":1}}"))
        .isEqualTo(new JsonRpc.Notification("receive", Json.tree(Map.of("a", 1))));
    assertThat(rpc.heard("INFO starting")).isNull();
    assertThat(rpc.heard("{\"id\":\"99\",\"result\":{}}")).isNull();
  }
}
