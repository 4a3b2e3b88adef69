package dev.postrider.channels.text.flow;

import org.jspecify.annotations.Nullable;

/**
 * The marks around a piece of text, as a chain from the innermost outwards that shares its tail.
 * Two texts are in the same bold or the same item if their chains share that very link, so scopes
 * are compared by identity.
 */
public final class MarkScope {
  /** No marks at all. */
  static final MarkScope NONE = new MarkScope();

  private final Mark mark;
  private final MarkScope outer;
  private final int depth;
  private final int cost;
  private final int indent;
  private final boolean code;
  private final @Nullable MarkScope solid;

  private MarkScope() {
    mark = new Mark.Paragraph();
    outer = this;
    depth = 0;
    cost = 0;
    indent = 0;
    code = false;
    solid = null;
  }

  private MarkScope(Mark mark, MarkScope outer, int cost, int indent, boolean solid) {
    this.mark = mark;
    this.outer = outer;
    this.depth = outer.depth + 1;
    this.cost = outer.cost + cost;
    this.indent = outer.indent + indent;
    this.code = outer.code || mark instanceof Mark.Pre || mark instanceof Mark.Code;
    this.solid = outer.solid != null || !solid ? outer.solid : this;
  }

  MarkScope with(Mark inner, int cost, int indent, boolean solid) {
    return new MarkScope(inner, this, cost, indent, solid);
  }

  public Mark mark() {
    return mark;
  }

  MarkScope outer() {
    return outer;
  }

  int depth() {
    return depth;
  }

  /** What opening and closing all these marks takes at most, prefixes included. */
  int cost() {
    return cost;
  }

  /** What these marks put before each line. */
  int indent() {
    return indent;
  }

  /** Whether this text is code, within a line or on lines of its own. */
  public boolean code() {
    return code;
  }

  /** The outermost mark around this text that must not be cut; null if there is none. */
  @Nullable MarkScope solid() {
    return solid;
  }

  /** The innermost scope that both are in. */
  MarkScope common(MarkScope other) {
    MarkScope a = this;
    MarkScope b = other;
    while (a.depth > b.depth) {
      a = a.outer;
    }
    while (b.depth > a.depth) {
      b = b.outer;
    }
    while (!a.same(b)) {
      a = a.outer;
      b = b.outer;
    }
    return a;
  }

  @SuppressWarnings("ReferenceEquality") // identity is what a scope is
  boolean same(MarkScope other) {
    return this == other;
  }

  /** Whether the other is this scope or within it. */
  boolean holds(MarkScope other) {
    return common(other).same(this);
  }

  /** The scope of the line: this one without marks within a line. */
  MarkScope line() {
    MarkScope scope = this;
    while (scope.mark instanceof Mark.Inline) {
      scope = scope.outer;
    }
    return scope;
  }

  /** Whether lines here belong together, as those of code and the rows of a table do. */
  boolean keepsLines() {
    return within(Mark.Pre.class) != null || within(Mark.Table.class) != null;
  }

  /** The innermost enclosing mark of a kind; null if there is none. */
  public <T extends Mark> @Nullable T within(Class<T> kind) {
    for (MarkScope scope = this; scope.depth > 0; scope = scope.outer) {
      if (kind.isInstance(scope.mark)) {
        return kind.cast(scope.mark);
      }
    }
    return null;
  }

  boolean has(Mark wanted) {
    for (MarkScope scope = this; scope.depth > 0; scope = scope.outer) {
      if (scope.mark.equals(wanted)) {
        return true;
      }
    }
    return false;
  }
}
