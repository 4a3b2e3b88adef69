import { html, live } from './view.js';

/** The rows that a person has chosen with their boxes, until the list is another. */
export class Chosen {
  #host;
  #key;
  #list;
  #listed = null;
  #chosen = new Map();

  /**
   * @param list gives what tells lists apart, such as the path
   * @param key what tells items apart
   */
  constructor(host, list, key = (item) => item.id) {
    this.#host = host;
    this.#list = list;
    this.#key = key;
    host.addController(this);
  }

  hostUpdate() {
    const list = this.#list();
    if (list !== this.#listed) this.#chosen.clear();
    this.#listed = list;
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
