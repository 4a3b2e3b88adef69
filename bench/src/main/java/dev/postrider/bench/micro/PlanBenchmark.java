package dev.postrider.bench.micro;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Dialect;
import dev.postrider.channel.TextLimit;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.Split;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Format;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Plan;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** From a message to the parts a platform is given. */
@State(Scope.Benchmark)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PlanBenchmark {
  private static final MessageId ID = new MessageId(new UUID(1, 2));
  private static final TextLimit LIMIT =
      new TextLimit(4096, TextLimit.Unit.UTF16, false, Split.LENGTH);
  private static final String PARAGRAPH =
      "Your order **77** has *shipped* and arrives on Friday, see [the "
          + "page](https://example.org).\n\n";

  /** How many characters of Markdown. */
  @Param({"100", "4000", "40000"})
  public int length;

  private String text = "";
  private Message message = message("");
  private final Capabilities telegram = Capabilities.of(Dialects.TELEGRAM_HTML, LIMIT);

  private static Message message(String text) {
    return Message.to("bot", "ann").text(text.isEmpty() ? "-" : text).build();
  }

  @Setup
  public void write() {
    text = PARAGRAPH.repeat(length / PARAGRAPH.length() + 1).substring(0, length);
    message = message(text);
  }

  @Benchmark
  public Plan plan() {
    return Planner.plan(ID, message, telegram, _ -> Optional.empty());
  }

  /** The text alone. */
  @Benchmark
  public List<Dialect.Written> render() {
    return Dialects.TELEGRAM_HTML.write(text, Format.MARKDOWN, LIMIT);
  }
}
