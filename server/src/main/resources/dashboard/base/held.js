/** Whether a person is at work in an element: points at it, has the focus or a selection in it. */
export function isHeld(element) {
  if (!element) return false;
  const selection = getSelection();
  return element.matches(':hover') || element.contains(document.activeElement)
    || (!selection.isCollapsed && element.contains(selection.anchorNode));
}

/**
 * Rows of a table that is loaded whole. While a person is at work in it, they stay where they are:
 * what is new comes last, and what is gone stays until the person has left.
 */
export class Steady {
  #shown = [];

  /** @param rows finds the element with the rows; @param key what tells items apart */
  constructor(rows, key) {
    this.rows = rows;
    this.key = key;
  }

  of(items) {
    if (!isHeld(this.rows())) {
      this.#shown = items;
      return items;
    }
    const fresh = new Map(items.map((item) => [this.key(item), item]));
    const kept = this.#shown.map((item) => fresh.get(this.key(item)) ?? item);
    const known = new Set(kept.map(this.key));
    this.#shown = [...kept, ...items.filter((item) => !known.has(this.key(item)))];
    return this.#shown;
  }
}
