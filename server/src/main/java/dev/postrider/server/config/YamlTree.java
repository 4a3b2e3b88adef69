package dev.postrider.server.config;

import dev.postrider.problem.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ParserException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Turns YAML text into a tree that remembers lines. */
final class YamlTree {
  private static final int DEEPEST = 20;

  /** Of the tree as it is used: what an alias stands for counts each time. */
  private static final int MOST_NODES = 100_000;

  private final String file;
  private final List<Problem> problems;
  private int nodes;

  private YamlTree(String file, List<Problem> problems) {
    this.file = file;
    this.problems = problems;
  }

  /** The tree, as far as it can be read; what cannot be read is added to the problems. */
  static Node.Mapping read(String file, String text, List<Problem> problems) {
    YamlTree tree = new YamlTree(file, problems);
    Node.Mapping nothing = new Node.Mapping(ConfigSource.line(file, 1), new LinkedHashMap<>());
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(file).build();
      checkDepth(settings, text);
      Optional<org.snakeyaml.engine.v2.nodes.Node> root = new Compose(settings).composeString(text);
      if (root.isEmpty()) {
        return nothing;
      }
      ConfigSource top = tree.source(root.get().getStartMark());
      return switch (tree.node(root.get(), top, 0)) {
        case Node.Mapping mapping -> mapping;
        case Node.Scalar scalar when scalar.absent() -> nothing;
        case Node.Scalar _, Node.Sequence _ -> {
          problems.add(new Problem(top.text(), "is not a list of keys and values like 'store: …'"));
          yield nothing;
        }
      };
    } catch (MarkedYamlEngineException e) {
      String about = e.getProblem() == null ? "cannot be read" : e.getProblem();
      problems.add(new Problem(tree.source(e.getProblemMark()).text(), "is not YAML: " + about));
    } catch (YamlEngineException e) {
      problems.add(new Problem(nothing.source().text(), "is not YAML: " + e.getMessage()));
    }
    return nothing;
  }

  /** Composing goes down level by level, and would not come back from too many. */
  private static void checkDepth(LoadSettings settings, String text) {
    int depth = 0;
    for (Event event : new Parse(settings).parseString(text)) {
      depth += event instanceof CollectionStartEvent ? 1 : 0;
      depth -= event instanceof CollectionEndEvent ? 1 : 0;
      if (depth > DEEPEST) {
        throw new ParserException("it is nested too deeply", event.getStartMark());
      }
    }
  }

  private Node node(org.snakeyaml.engine.v2.nodes.Node node, ConfigSource source, int depth) {
    if (++nodes > MOST_NODES) {
      throw new ParserException(
          "with its aliases written out it has more than " + MOST_NODES + " values",
          node.getStartMark());
    }
    if (depth > DEEPEST) {
      throw new ParserException("it is nested too deeply", node.getStartMark());
    }
    return switch (node) {
      case MappingNode mapping -> {
        Map<String, Node> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
          ConfigSource at = source(tuple.getKeyNode().getStartMark());
          @Nullable String key =
              tuple.getKeyNode() instanceof ScalarNode name ? name.getValue() : null;
          if (key == null) {
            problems.add(new Problem(at.text(), "has a key that is not a plain word"));
          } else if (entries.put(key, node(tuple.getValueNode(), at, depth + 1)) != null) {
            problems.add(new Problem(at.text(), key + " stands there twice; keep one"));
          }
        }
        yield new Node.Mapping(source, entries);
      }
      case SequenceNode sequence -> {
        List<Node> items = new ArrayList<>();
        for (org.snakeyaml.engine.v2.nodes.Node item : sequence.getValue()) {
          items.add(node(item, source(item.getStartMark()), depth + 1));
        }
        yield new Node.Sequence(source, items);
      }
      case ScalarNode scalar ->
          new Node.Scalar(
              source, Tag.NULL.equals(scalar.getTag()) ? null : scalar.getValue(), false);
      default -> new Node.Scalar(source, null, true);
    };
  }

  private ConfigSource source(Optional<Mark> mark) {
    return ConfigSource.line(file, mark.map(Mark::getLine).orElse(0) + 1);
  }
}
