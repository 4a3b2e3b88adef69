import { get, query } from './api.js';
import { isHeld } from './held.js';
import { Load } from './load.js';

/** The most items the server gives at a time. */
const LARGEST_PAGE = 500;

/**
 * A list in pages that lives, and holds still under a person's hand. While they point at it, have the
 * focus in it or have selected something, rows change in place, and newer ones are only counted;
 * the page offers to show them.
 */
export class List {
  /** What is shown; null until the first answer. */
  items = null;

  /** How many newer ones wait to be shown. */
  newer = 0;

  /** Whether there is more behind what is shown. */
  more = false;

  /** The last page, with what it says besides its items, such as how far a search went. */
  page = null;

  #host;
  #path;
  #load;
  #next = null;
  #extended = false;
  #fresh = null;
  #key;
  #order;
  #shownFor = null;

  /**
   * @param path gives the path of the first page; null: nothing to load
   * @param options those of Load, `key`: what tells items apart, and `order`: compares two items of a
   *     list whose first page is all of it
   */
  constructor(host, path, options = {}) {
    this.#host = host;
    this.#path = path;
    this.#key = options.key ?? ((item) => item.id);
    this.#order = options.order ?? null;
    this.#load = new Load(host, () => this.#whole(), { ...options, keep: true, then: (answer) => this.#take(answer) });
    host.addController(this);
  }

  get problem() {
    return this.#load.problem;
  }

  /** As of a Load: what is shown, and when it was last renewed. */
  get data() {
    return this.items;
  }

  get at() {
    return this.#load.at;
  }

  hostUpdate() {
    if (this.#path() !== this.#shownFor && this.#shownFor !== null) {
      this.#shownFor = null;
      this.items = null;
      this.page = null;
      this.newer = 0;
      this.#extended = false;
    }
  }

  hostConnected() {
    this.#host.addEventListener('pointerleave', this.#release);
    this.#host.addEventListener('focusout', this.#release);
  }

  hostDisconnected() {
    this.#host.removeEventListener('pointerleave', this.#release);
    this.#host.removeEventListener('focusout', this.#release);
  }

  reload() {
    return this.#load.reload();
  }

  /** Shows what has become of it after a person has done something, also under their hand. */
  async renew() {
    await this.reload();
    this.showNewer();
  }

  #release = () => setTimeout(() => {
    if (this.#fresh && !this.#extended && !this.#held()) this.showNewer();
  }, 500);

  /** The path of all that is shown, as far as one page can hold it, so that later rows change too. */
  #whole() {
    const path = this.#path();
    if (path === null || !this.#extended) return path;
    const [base, rest] = path.split('?');
    const given = Object.fromEntries(new URLSearchParams(rest));
    return query(base, { ...given, limit: Math.min(LARGEST_PAGE, Math.max(Number(given.limit ?? 1), this.items.length)) });
  }

  /** Whether a person is at work in the list's rows. */
  #held() {
    return isHeld(this.#host.querySelector('[data-rows]'));
  }

  #take(answer) {
    if (this.#order) answer.items.sort(this.#order);
    const fresh = answer.items;
    const first = this.#shownFor !== this.#path();
    this.#shownFor = this.#path();
    this.page = answer;
    if (first || !(this.#extended || this.#held())) {
      this.items = fresh;
      this.newer = 0;
      this.#fresh = null;
      this.#extended = false;
      this.#next = answer.next;
    } else {
      const byKey = new Map(fresh.map((item) => [this.#key(item), item]));
      this.items = this.items.map((item) => byKey.get(this.#key(item)) ?? item);
      const shown = new Set(this.items.map(this.#key));
      this.newer = fresh.filter((item) => !shown.has(this.#key(item))).length;
      this.#fresh = answer;
    }
    this.more = this.#next !== null && this.#next !== undefined;
    return answer;
  }

  /** Shows an item as it is now, in its place. */
  change(item) {
    this.items = this.items?.map((shown) => (this.#key(shown) === this.#key(item) ? item : shown)) ?? null;
    this.#host.requestUpdate();
  }

  /** Shows what came meanwhile. */
  showNewer() {
    if (this.#fresh) {
      this.items = this.#fresh.items;
      this.#next = this.#fresh.next;
      this.more = this.#next !== null && this.#next !== undefined;
    }
    this.#fresh = null;
    this.#extended = false;
    this.newer = 0;
    this.#host.requestUpdate();
  }

  /** Appends the next page. */
  async showMore() {
    const path = this.#path();
    const [base, rest] = path.split('?');
    const page = await get(query(base, { ...Object.fromEntries(new URLSearchParams(rest)), cursor: this.#next }));
    if (path !== this.#path()) return;
    this.page = page;
    const shown = new Set(this.items.map(this.#key));
    this.items = [...this.items, ...page.items.filter((item) => !shown.has(this.#key(item)))];
    this.#next = page.next;
    this.#extended = true;
    this.more = page.next !== null && page.next !== undefined;
    this.#host.requestUpdate();
  }
}
