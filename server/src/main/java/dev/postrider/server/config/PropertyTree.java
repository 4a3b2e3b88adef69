package dev.postrider.server.config;

import dev.postrider.problem.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns values with paths, such as {@code accounts[0].token}, into a tree. */
final class PropertyTree {
  private static final Pattern STEP = Pattern.compile("\\[([^]]*)]|[^.\\[]+"); // group 1: in []
  private static final Pattern INDEX = Pattern.compile("\\[\\d{1,6}]");

  private PropertyTree() {}

  static Node.Mapping of(
      String name, List<ConfigLoader.Property> properties, List<Problem> problems) {
    Node.Mapping root = new Node.Mapping(new ConfigSource(name), new LinkedHashMap<>());
    for (ConfigLoader.Property property : properties) {
      if (!put(root, steps(property.key()), property)) {
        problems.add(
            new Problem(
                property.source().text(),
                property.key() + " has a value, and so has a key under it; keep one"));
      }
    }
    root.entries().replaceAll((_, node) -> withLists(node));
    return root;
  }

  /** The entries of a list keep their brackets for now; other words lose them. */
  private static List<String> steps(String key) {
    return STEP.matcher(key).results().map(PropertyTree::step).toList();
  }

  private static String step(MatchResult found) {
    @Nullable String inBrackets = found.group(1);
    return inBrackets == null || INDEX.matcher(found.group()).matches()
        ? found.group()
        : inBrackets;
  }

  private static boolean put(Node.Mapping root, List<String> steps, ConfigLoader.Property given) {
    Node.Mapping at = root;
    for (String step : steps.subList(0, steps.size() - 1)) {
      Node next =
          at.entries()
              .computeIfAbsent(step, _ -> new Node.Mapping(given.source(), new LinkedHashMap<>()));
      if (!(next instanceof Node.Mapping mapping)) {
        return false;
      }
      at = mapping;
    }
    String text = given.value().isEmpty() ? null : given.value(); // as if it were not there
    return at.entries().putIfAbsent(steps.getLast(), new Node.Scalar(given.source(), text, false))
        == null;
  }

  private static Node withLists(Node node) {
    if (!(node instanceof Node.Mapping mapping)) {
      return node;
    }
    Map<String, Node> entries = mapping.entries();
    entries.replaceAll((_, child) -> withLists(child));
    if (entries.isEmpty() || !entries.keySet().stream().allMatch(INDEX.asMatchPredicate())) {
      return mapping;
    }
    Map<Integer, Node> items = new TreeMap<>();
    entries.forEach((key, item) -> items.put(number(key), item));
    return new Node.Sequence(mapping.source(), new ArrayList<>(items.values()));
  }

  private static int number(String index) {
    return Integer.parseInt(index.substring(1, index.length() - 1));
  }
}
