/**
 * What a person has begun and not sent: kept in this tab, also when the document is loaded anew, and
 * gone with the tab.
 */
export class Kept {
  #key;
  #empty;

  /** @param empty what there is before anything was begun */
  constructor(key, empty) {
    this.#key = `postrider-begun-${key}`;
    this.#empty = empty;
  }

  get() {
    try {
      return JSON.parse(sessionStorage.getItem(this.#key)) ?? this.#empty;
    } catch {
      return this.#empty;
    }
  }

  set(value) {
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(value));
    } catch {
      // The browser keeps nothing, or not so much: it lasts as long as the page then.
    }
  }
}
