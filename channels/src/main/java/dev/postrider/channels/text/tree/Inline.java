package dev.postrider.channels.text.tree;

import java.util.List;

/** A piece of text within a line. */
public sealed interface Inline {

  record Text(String text) implements Inline {}

  record Strong(List<Inline> content) implements Inline {}

  record Emphasis(List<Inline> content) implements Inline {}

  record Strike(List<Inline> content) implements Inline {}

  record Code(String text) implements Inline {}

  record Link(String target, List<Inline> content) implements Inline {}

  /** A new line, typed as such or with a backslash or two spaces before it. */
  record Break() implements Inline {}

  /** What inlines say, without any marks. */
  static String said(List<Inline> inlines) {
    StringBuilder all = new StringBuilder();
    for (Inline inline : inlines) {
      switch (inline) {
        case Text text -> all.append(text.text());
        case Strong strong -> all.append(said(strong.content()));
        case Emphasis emphasis -> all.append(said(emphasis.content()));
        case Strike strike -> all.append(said(strike.content()));
        case Code code -> all.append(code.text());
        case Link link -> all.append(said(link.content()));
        case Break _ -> all.append(' ');
      }
    }
    return all.toString();
  }
}
