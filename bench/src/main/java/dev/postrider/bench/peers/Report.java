package dev.postrider.bench.peers;

import dev.postrider.bench.peers.Contender.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.AxesChartStyler.TextAlignment;
import org.knowm.xchart.style.CategoryStyler;

/** The table of all figures, and charts of the most telling ones. */
final class Report {
  private final Map<Contender, Results> results;
  private final Map<String, String> absent;
  private final int rounds;

  /** A column: what stands above it, and what stands in it. */
  private record Column(String title, Function<Results, String> cell) {}

  private static final List<Column> THROUGHPUT =
      List.of(
          rate("handed in, one per call", "enqueue"),
          rate("handed in, 100 per call", "bulk"),
          rate("in order, 100 keys", "fifo 100"),
          rate("in order, 10,000 keys", "fifo 10000"),
          rate("with 5 % failures, 100 keys", "failures"),
          new Column("out of order then", results -> count(results, "failures violations")));

  private static final List<Column> LIVENESS =
      List.of(
          millis("idle: p50, p99", "idle"),
          millis("at half load: p50, p99", "half"),
          rate("10,000 waiting", "waiting 10000"),
          rate("100,000 waiting", "waiting 100000"),
          rate("1,000,000 waiting", "waiting 1000000"),
          new Column("lost after SIGKILL", results -> count(results, "killed lost")));

  private static final List<Column> DISTANT =
      List.of(
          rate("2 ms away", "2 ms away"),
          rate("5 ms away", "5 ms away"),
          rate("20 ms away", "20 ms away"));

  private static final List<Column> LIMITS =
      List.of(
          rate("100 keys", "raw 100"),
          share("of that in order", "fifo 100", "raw 100"),
          rate("10,000 keys", "raw 10000"),
          share("of that in order", "fifo 10000", "raw 10000"));

  Report(Map<Contender, Results> results, Map<String, String> absent, int rounds) {
    this.results = results;
    this.absent = absent;
    this.rounds = rounds;
  }

  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    StringBuilder page = new StringBuilder();
    page.append("Medians of %d rounds, with the lowest and the highest.%n".formatted(rounds));
    table(page, "Items a second", THROUGHPUT, _ -> true);
    table(page, "Waiting", LIVENESS, _ -> true);
    table(page, "In order, 100 keys, a second", DISTANT, c -> c.store() == Kind.POSTGRES);
    table(page, "Raw rows, a second", LIMITS, c -> c.name().equals("Postrider"));
    absent.forEach(
        (names, why) ->
            page.append(
                "%nAbsent: %s (%s)%n".formatted(names, why.lines().findFirst().orElse(""))));
    System.out.print(page);
    Files.writeString(folder.resolve("peers.md"), page);
    Files.writeString(folder.resolve("peers.json"), json());
    chart(folder.resolve("peers-fifo-100.svg"), "In order, 100 keys", "fifo 100 perSecond");
    chart(folder.resolve("peers-fifo-10000.svg"), "In order, 10,000 keys", "fifo 10000 perSecond");
    chart(folder.resolve("peers-handed-in.svg"), "Handed in, one per call", "enqueue perSecond");
  }

  private void table(
      StringBuilder page, String title, List<Column> columns, Function<Contender, Boolean> which) {
    page.append("%n| %s |".formatted(title));
    columns.forEach(column -> page.append(" %s |".formatted(column.title)));
    page.append("%n|---|%s%n".formatted("---|".repeat(columns.size())));
    results.forEach(
        (contender, result) -> {
          if (which.apply(contender)) {
            page.append("| %s |".formatted(contender.title()));
            columns.forEach(column -> page.append(" %s |".formatted(column.cell.apply(result))));
            page.append("%n".formatted());
          }
        });
  }

  private static Column rate(String title, String figure) {
    return new Column(
        title,
        results ->
            results.has(figure + " perSecond")
                ? "%,.0f (%,.0f – %,.0f)"
                    .formatted(
                        results.median(figure + " perSecond"),
                        results.lowest(figure + " perSecond"),
                        results.highest(figure + " perSecond"))
                : absentFigure(results, figure));
  }

  private static Column share(String title, String figure, String of) {
    return new Column(
        title,
        results ->
            "%.0f %%"
                .formatted(
                    100
                        * results.median(figure + " perSecond")
                        / results.median(of + " perSecond")));
  }

  private static Column millis(String title, String figure) {
    return new Column(
        title,
        results ->
            results.has(figure + " p50")
                ? "%.1f, %.1f ms"
                    .formatted(results.median(figure + " p50"), results.median(figure + " p99"))
                : absentFigure(results, figure));
  }

  private static String absentFigure(Results results, String figure) {
    return results.has(figure + " unfinished") ? "did not finish" : "–";
  }

  private static String count(Results results, String figure) {
    return results.has(figure) ? "%,.0f".formatted(results.sum(figure)) : "–";
  }

  private String json() {
    List<Map<String, Object>> all = new ArrayList<>();
    results.forEach(
        (contender, result) ->
            all.add(
                Map.of(
                    "name", contender.name(),
                    "store", contender.store().title,
                    "ordered", contender.ordered(),
                    "figures", result.all())));
    return Results.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(all);
  }

  private void chart(Path file, String title, String figure) throws IOException {
    List<String> names = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    results.forEach(
        (contender, result) -> {
          if (result.has(figure) && result.median(figure) > 0) {
            names.add(contender.title());
            rates.add(result.median(figure));
          }
        });
    if (names.isEmpty()) {
      return;
    }
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(900)
            .height(420)
            .title(title)
            .yAxisTitle("a second, logarithmic")
            .build();
    CategoryStyler styler = chart.getStyler();
    styler.setLegendVisible(false);
    styler.setYAxisLogarithmic(true);
    styler.setXAxisLabelRotation(30);
    styler.setLabelsVisible(true);
    styler.setLabelsFontColorAutomaticEnabled(false);
    styler.setChartTitleBoxVisible(false);
    styler.setPlotGridVerticalLinesVisible(false);
    styler.setXAxisLabelAlignment(TextAlignment.Right);
    chart.addSeries(title, names, rates);
    VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
  }
}
