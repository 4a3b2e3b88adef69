package dev.postrider.channels.feishu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dialect;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Format;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a message is made into. */
class FeishuContentTest {
  private static final TestAccount ACCOUNT =
      TestAccount.of(AccountConfig.of("fs", "feishu").set("appId", "cli_1"));

  private static FeishuContent written(String text, Format format, boolean cards) {
    Dialect.Written part =
        Dialects.FEISHU
            .write(text, format, new FeishuChannel().capabilities(ACCOUNT.config()).text())
            .getFirst();
    Message.Builder message = Message.to("fs", "oc_1").format(format);
    return FeishuContent.of(
        part.plain() == null
            ? ACCOUNT.part(message.text(text))
            : ACCOUNT.markup(message.text(part.plain()), part.text()),
        cards);
  }

  @Test
  void markdown_becomes_a_card_with_its_beginning_as_a_summary() {
    FeishuContent content = written("**Hi** there, 2*3", Format.MARKDOWN, true);
    assertThat(content.type()).isEqualTo("interactive");
    assertThat(Json.tree(content.body()))
        .isEqualTo(
            Json.readObject(
                """
                {"schema":"2.0","config":{"summary":{"content":"Hi there, 2*3"}},
                 "body":{"elements":[{"tag":"markdown","content":"**Hi** there, 2&#42;3"}]}}
                """));
  }

  @Test
  void markdown_becomes_a_post_if_the_account_wants_that() {
    FeishuContent content = written("**Hi** there", Format.MARKDOWN, false);
    assertThat(content)
        .isEqualTo(
            new FeishuContent(
                "post",
                Map.of(
                    "zh_cn",
                    Map.of(
                        "content",
                        List.of(List.of(Map.of("tag", "md", "text", "**Hi** there")))))));
  }

  @Test
  void what_needs_no_markup_is_a_text() {
    assertThat(written("Hello there.\nHow are you?", Format.MARKDOWN, true))
        .isEqualTo(new FeishuContent("text", Map.of("text", "Hello there.\nHow are you?")));
    assertThat(written("2 * 3 * 4 and **this**", Format.PLAIN, true))
        .isEqualTo(new FeishuContent("text", Map.of("text", "2 * 3 * 4 and **this**")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          if a < b: say <at user_id="all">all</at>
          a [link](https://example.org) as text
          """)
  void plain_text_that_feishu_would_read_as_markup_is_a_post_which_it_shows_as_it_stands(
      String text) {
    assertThat(written(text, Format.PLAIN, true))
        .isEqualTo(
            new FeishuContent(
                "post",
                Map.of(
                    "zh_cn",
                    Map.of("content", List.of(List.of(Map.of("tag", "text", "text", text)))))));
  }

  @Test
  void native_text_is_the_markdown_of_a_card_as_it_stands() {
    FeishuContent content = written("<at id=ou_1></at> come", Format.NATIVE, true);
    assertThat(content.type()).isEqualTo("interactive");
    assertThat(Json.write(content.body())).contains("<at id=ou_1></at> come");
  }

  // ---- channel data

  private static FeishuContent own(Map<String, Object> data) {
    Message message = Message.to("fs", "oc_1").channelData(data).build();
    Plan plan = ACCOUNT.part(Message.to("fs", "oc_1").channelData(data)).plan();
    new FeishuChannel().check(message, plan);
    return FeishuContent.of(ACCOUNT.part(Message.to("fs", "oc_1").channelData(data)), true);
  }

  @Test
  void a_card_of_ones_own_goes_as_it_is() {
    Map<String, Object> card = Map.of("elements", List.of(Map.of("tag", "hr")));
    assertThat(own(Map.of("card", card))).isEqualTo(new FeishuContent("interactive", card));
    assertThat(own(Map.of("msg_type", "interactive", "content", card)))
        .isEqualTo(new FeishuContent("interactive", card));
    Map<String, Object> template =
        Map.of("type", "template", "data", Map.of("template_id", "AAq1"));
    assertThat(own(Map.of("card", template)).body()).isEqualTo(template);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          text | {"text":"hi <at user_id=\\"ou_1\\">Ann</at>"}
          post | {"en_us":{"title":"T","content":[[{"tag":"text","text":"x"}]]}}
          image | {"image_key":"img_1"}
          file | {"file_key":"file_1"}
          audio | {"file_key":"file_1"}
          media | {"file_key":"file_1","image_key":"img_1"}
          sticker | {"file_key":"file_1"}
          share_chat | {"chat_id":"oc_1"}
          share_user | {"user_id":"ou_1"}
          system | {"type":"divider"}
          """)
  void every_kind_of_content_can_be_written_by_hand(String type, String content) {
    String json = content.replace("\\\\", "\\");
    assertThat(own(Map.of("msg_type", type, "content", json)).type()).isEqualTo(type);
    assertThat(own(Map.of("msg_type", type, "content", Json.map(Json.readObject(json)))).body())
        .isEqualTo(Json.map(Json.readObject(json)));
  }

  @Test
  void a_post_may_be_written_as_webhooks_want_it() {
    Map<String, Object> post =
        Map.of("en_us", Map.of("content", List.of(List.of(Map.of("tag", "hr")))));
    assertThat(own(Map.of("msg_type", "post", "content", Map.of("post", post))).body())
        .isEqualTo(post);
  }

  private static Map<String, Object> card(String json) {
    return Map.of("card", Map.copyOf(Json.map(Json.readObject(json.replace('\'', '"')))));
  }

  /** With its content as Feishu itself writes it: a text. */
  private static Map<String, Object> post(String line) {
    String json = "{'en_us':{'title':'T','content':[" + line + "]}}";
    return Map.of("msg_type", "post", "content", json.replace('\'', '"'));
  }

  @Test
  void cards_of_both_generations_templates_and_whole_posts_are_taken() {
    for (String one :
        List.of(
            "{'schema':'2.0','config':{},'card_link':{},'header':{'title':{'tag':'plain_text',"
                + "'content':'T'}},'body':{'elements':[{'tag':'markdown','content':'x'}]}}",
            "{'config':{},'header':{'title':{}},'elements':[{'tag':'hr'},{'tag':'div','text':{}}]}",
            "{'i18n_elements':{'zh_cn':[{'tag':'hr'}],'en_us':[]}}",
            "{'type':'template','data':{'template_id':'x','template_variable':{'a':'b'}}}",
            "{'type':'card','data':{'card_id':'7'}}")) {
      assertThat(own(card(one)).type()).isEqualTo("interactive");
    }
    assertThat(
            own(post(
                    "[{'tag':'text','text':'a','style':['bold']},{'tag':'a','text':'b','href':'c'},"
                        + "{'tag':'at','user_id':'ou_1'},{'tag':'emotion','emoji_type':'OK'}],"
                        + "[{'tag':'img','image_key':'i'}],[{'tag':'media','file_key':'f'}],"
                        + "[{'tag':'code_block','language':'JSON','text':'{}'}],"
                        + "[{'tag':'md','text':'x'}],[{'tag':'hr'}]"))
                .type())
        .isEqualTo("post");
  }

  private static void refused(Map<String, Object> data, String field, String why) {
    assertThatThrownBy(() -> own(data))
        .isInstanceOfSatisfying(InvalidInput.class, it -> assertThat(it.field()).isEqualTo(field))
        .hasMessageContaining(why);
  }

  @Test
  void channel_data_that_feishu_would_refuse_is_refused_at_once() {
    refused(Map.of("cart", Map.of()), "channelData.cart", "card");
    refused(Map.of("card", "hello"), "channelData.card", "must be an object");
    refused(Map.of("card", Map.of("header", Map.of())), "channelData.card", "elements");
    refused(Map.of("msg_type", "telepathy", "content", Map.of()), "channelData.msg_type", "post");
    refused(Map.of("msg_type", "image"), "channelData.content", "must be an object");
    refused(Map.of("content", Map.of("text", "x")), "channelData.msg_type", "one of");
    refused(
        Map.of("msg_type", "image", "content", Map.of("key", "x")),
        "channelData.content",
        "image_key");
    refused(
        Map.of("msg_type", "post", "content", Map.of("title", "x")),
        "channelData.content",
        "no post");
    refused(
        Map.of("msg_type", "text", "card", Map.of("elements", List.of())),
        "channelData.card",
        "goes alone");
    refused(
        Map.of("card", Map.of("elements", List.of(Map.of("tag", "x".repeat(31 << 10))))),
        "channelData.card",
        "30 KB");
    refused(card("{'schema':'3.0','body':{'elements':[]}}"), "channelData.card.schema", "known");
    refused(card("{'schema':'2.0','elements':[]}"), "channelData.card.elements", "known");
    refused(card("{'elements':[],'headr':{}}"), "channelData.card.headr", "mean 'header'");
    refused(
        card("{'schema':'2.0','body':{'elements':[{'content':'x'}]}}"),
        "channelData.card.body.elements[0].tag",
        "is missing");
    refused(
        card("{'i18n_elements':{'en_us':[{'tga':'div'}]}}"),
        "channelData.card.i18n_elements.en_us[0].tag",
        "is missing");
    refused(
        card("{'type':'template','data':{'templat_id':'x'}}"),
        "channelData.card.data.templat_id",
        "mean 'template_id'");
    refused(
        post("[{'tag':'text','txt':'x'}]"),
        "channelData.content.en_us.content[0][0].text",
        "is missing");
    refused(
        post("[{'tag':'link','href':'https://x.example'}]"),
        "channelData.content.en_us.content[0][0].tag",
        "");
    refused(Map.of("reply_in_thread", "yes"), "channelData.reply_in_thread", "true nor false");
    refused(Map.of("reply_in_thread", true), "channelData", "says nothing");
  }

  @Test
  void a_card_beside_a_text_is_refused() {
    Message.Builder message =
        Message.to("fs", "oc_1")
            .text("hello")
            .channelData(Map.of("card", Map.of("elements", List.of())));
    assertThatThrownBy(
            () -> new FeishuChannel().check(message.build(), ACCOUNT.part(message).plan()))
        .hasMessageContaining("a message of its own");
  }

  @Test
  void ids_that_are_no_messages_are_refused_with_the_remedy() {
    Message.Builder thread = Message.to("fs", "oc_1").text("x").threadId("omt_1");
    assertThatThrownBy(() -> new FeishuChannel().check(thread.build(), ACCOUNT.part(thread).plan()))
        .hasMessageContaining("first message of the thread");
    Message.Builder reply = Message.to("fs", "oc_1").text("x").replyToId("77");
    assertThatThrownBy(() -> new FeishuChannel().check(reply.build(), ACCOUNT.part(reply).plan()))
        .hasMessageContaining("om_");
  }
}
