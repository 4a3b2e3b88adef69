package dev.postrider.channels.signal;

import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** signal-cli's daemon on HTTP, after its source: says everything with 200. */
final class FakeSignalCli implements AutoCloseable {
  static final String NUMBER = "+4915112345678";
  static final String ANN = "5a1e0f3c-0d7a-4a3b-9c1e-2f6f8f0c1b11";
  static final String GROUP = "EdSqI90cS0UomDpgUXOlCoObWvQOXlH5G3Z2d3f4ayE=";

  final FakePlatform platform = FakePlatform.start();

  /** What each method says, after {@code "id":"1",}. */
  final Map<String, Function<JsonNode, String>> answers = new LinkedHashMap<>();

  private String events = "";

  FakeSignalCli() {
    answers.put("send", _ -> sent("SUCCESS"));
    answers.put("listAccounts", _ -> "\"result\":[{\"number\":\"" + NUMBER + "\"}]");
    platform.when(request -> request.path().equals("/api/v1/rpc"), this::rpc);
    platform.when(
        request -> request.path().startsWith("/api/v1/events"),
        _ -> Reply.text(200, "text/event-stream", events));
    platform.otherwise(_ -> Reply.text(404, "text/plain", ""));
  }

  private Reply rpc(Request request) {
    JsonNode question = question(request);
    Function<JsonNode, String> answer = answers.get(question.path("method").asString());
    return said(
        answer == null
            ? refusal(-32601, "Method not implemented", null)
            : answer.apply(question.path("params")));
  }

  static Reply.Answer said(String answer) {
    return Reply.json(200, "{\"jsonrpc\":\"2.0\"," + answer + ",\"id\":\"1\"}");
  }

  static JsonNode question(Request request) {
    JsonNode question = Json.readObject(request.text());
    return question == null ? Json.tree(Map.of()) : question;
  }

  /** One recipient each. */
  static String sent(String... types) {
    return "\"result\":" + response(types);
  }

  static String response(String... types) {
    return Json.write(
        Map.of(
            "timestamp",
            1700000000000L,
            "results",
            List.of(types).stream().map(it -> result(it)).toList()));
  }

  static Map<String, Object> result(String type) {
    return Map.of("recipientAddress", Map.of("uuid", ANN, "number", "+491701234567"), "type", type);
  }

  static String refusal(int code, String message, Object data) {
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("code", code);
    error.put("message", message);
    error.put("data", data);
    return "\"error\":" + Json.write(error);
  }

  void tells(String... received) {
    StringBuilder stream = new StringBuilder(":\n\n");
    for (String one : received) {
      stream.append("event:receive\ndata:").append(one.replace("\n", "")).append("\n\n");
    }
    events = stream.toString();
  }

  AccountConfig account() {
    return AccountConfig.of("sig", "signal")
        .set("number", NUMBER)
        .set("baseUrl", platform.baseUrl());
  }

  /** The parameters of what was asked last by this method. */
  JsonNode asked(String method) {
    return platform.requests().stream()
        .map(FakeSignalCli::question)
        .filter(question -> question.path("method").asString("").equals(method))
        .toList()
        .getLast()
        .path("params");
  }

  @Override
  public void close() {
    platform.close();
  }
}
