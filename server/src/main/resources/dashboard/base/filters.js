import { html, live, nothing } from './view.js';
import { refine } from './route.js';

/**
 * The filters of a page. They stand in its address; what is being typed is kept until it does, so
 * that no letter is lost when the page is drawn meanwhile.
 */
export class Filters {
  #host;
  #typed = {};
  #timer = null;

  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected() {
    this.#forget();
  }

  #forget() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#typed = {};
  }

  /** What was typed holds as long as the address says the same; a blank at its end is not said there. */
  value(name) {
    const applied = this.#host.place.filters[name] ?? '';
    const typed = this.#typed[name];
    return typed !== undefined && (this.#timer !== null || typed.trim() === applied) ? typed : applied;
  }

  /** Those of the given names that are set. */
  given(names) {
    const { filters } = this.#host.place;
    return Object.fromEntries(names.filter((name) => filters[name]).map((name) => [name, filters[name]]));
  }

  #type(name, value, wait) {
    this.#typed[name] = value;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#apply(), wait);
  }

  #apply() {
    this.#timer = null;
    refine(Object.fromEntries(Object.entries(this.#typed).map(([name, value]) => [name, value.trim()])));
  }

  /** A field for text. */
  text(name, label, { placeholder = nothing, type = 'search', title = nothing } = {}) {
    return html`<label>${label}
      <input type=${type} name=${name} placeholder=${placeholder} title=${title} autocomplete="off" spellcheck="false" .value=${live(this.value(name))}
        @input=${(event) => this.#type(name, event.target.value, 350)} @change=${(event) => this.#type(name, event.target.value, 0)}></label>`;
  }

  /** A choice; `values` are words, or [value, words]. */
  choice(name, label, values, any = 'any') {
    const chosen = this.value(name);
    const known = values.map((value) => (Array.isArray(value) ? value : [value, value]));
    const all = [['', any], ...known, ...(chosen && !known.some(([value]) => value === chosen) ? [[chosen, chosen]] : [])];
    return html`<label>${label}
      <select name=${name} @change=${(event) => this.#type(name, event.target.value, 0)}>
        ${all.map(([value, words]) => html`<option value=${value} .selected=${live(value === chosen)}>${words}</option>`)}
      </select></label>`;
  }

  /** Takes all filters of the given names away. */
  clear(names) {
    this.#forget();
    refine(Object.fromEntries(names.map((name) => [name, ''])));
  }
}
