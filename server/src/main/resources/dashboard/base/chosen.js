import { html, live } from './view.js';

/** The rows that a person has chosen with their boxes. */
export class Chosen {
  #host;
  #key;
  #chosen = new Map();

  constructor(host, key = (item) => item.id) {
    this.#host = host;
    this.#key = key;
  }

  get items() {
    return [...this.#chosen.values()];
  }

  get size() {
    return this.#chosen.size;
  }

  has(item) {
    return this.#chosen.has(this.#key(item));
  }

  #set(item, chosen) {
    if (chosen) this.#chosen.set(this.#key(item), item);
    else this.#chosen.delete(this.#key(item));
  }

  clear() {
    this.#chosen.clear();
    this.#host.requestUpdate();
  }

  /** The box of a row. */
  box(item, label) {
    return html`<input type="checkbox" aria-label=${label} .checked=${live(this.has(item))}
      @change=${(event) => { this.#set(item, event.target.checked); this.#host.requestUpdate(); }}>`;
  }

  /** The box that chooses all rows that are shown. */
  allBox(items) {
    const all = items.length > 0 && items.every((item) => this.has(item));
    return html`<input type="checkbox" aria-label="Choose all rows shown" .checked=${live(all)} .indeterminate=${live(!all && this.size > 0)}
      @change=${(event) => { items.forEach((item) => this.#set(item, event.target.checked)); this.#host.requestUpdate(); }}>`;
  }
}
