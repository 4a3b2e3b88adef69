import { get, Offline, Problem } from './api.js';
import { live } from './live.js';

/** So many milliseconds after a failure it is loaded again: a server that has just come back may need a moment. */
const AFTER_PROBLEM = 4000;

/**
 * Keeps an element's data fresh: loads a path when the element appears, when the path changes, when
 * an event of the given kinds has come (at most once in `pause`), every `every` milliseconds besides,
 * since a wake-up may be lost, and when the server is back. What was loaded stays until something
 * newer comes; `problem` says why it is not newer.
 */
export class Load {
  data = null;
  problem = null;
  at = null;

  #host;
  #path;
  #options;
  #loaded = null;
  #timer = null;
  #running = null;
  #again = false;
  #last = 0;

  /**
   * @param host the element
   * @param path gives the path; null: nothing to load now
   * @param options `on`: the beginnings of the types of events that make it load again; `every`,
   *     `pause`: milliseconds, or a function that gives them; `then`: what becomes of an answer, in place of `data`
   */
  constructor(host, path, options = {}) {
    this.#host = host;
    this.#path = path;
    this.#options = { on: [], every: 15_000, pause: 1000, ...options };
    host.addController(this);
  }

  hostConnected() {
    live.addEventListener('event', this.#onEvent);
    live.addEventListener('state', this.#onState);
    document.addEventListener('visibilitychange', this.#onState);
    this.reload();
  }

  hostDisconnected() {
    live.removeEventListener('event', this.#onEvent);
    live.removeEventListener('state', this.#onState);
    document.removeEventListener('visibilitychange', this.#onState);
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#running?.abort();
  }

  hostUpdate() {
    if (this.#host.isConnected && this.#path() !== this.#loaded) this.reload();
  }

  #onEvent = ({ detail }) => {
    if (detail.type === 'gap' || this.#options.on.some((type) => detail.type.startsWith(type))) this.soon();
  };

  #onState = () => {
    if (live.state === 'live' && !document.hidden) this.soon();
  };

  /** Loads again before long, once for many events. */
  soon() {
    const { pause } = this.#options;
    const wait = Math.max(0, this.#last + (typeof pause === 'function' ? pause() : pause) - Date.now());
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.reload(), wait);
  }

  /** Loads now; resolves when the answer is shown. */
  async reload() {
    const path = this.#path();
    if (path !== this.#loaded) {
      this.#running?.abort();
      this.#running = null;
      if (!this.#options.keep) this.data = null;
      this.#loaded = path;
    }
    if (path === null) return;
    if (this.#running) { this.#again = true; return; }
    clearTimeout(this.#timer);
    this.#last = Date.now();
    const running = new AbortController();
    this.#running = running;
    try {
      const answer = await get(path, { signal: AbortSignal.any([running.signal, AbortSignal.timeout(20_000)]) });
      if (this.#running !== running) return;
      live.heard();
      this.data = this.#options.then ? this.#options.then(answer, this.data) : answer;
      this.problem = null;
      this.at = new Date();
    } catch (problem) {
      if (this.#running !== running) return;
      this.problem = problem instanceof Problem || problem instanceof Offline ? problem : new Offline();
    } finally {
      if (this.#running === running) {
        this.#running = null;
        this.#host.requestUpdate();
        if (this.#again) { this.#again = false; this.soon(); }
        else if (!document.hidden) this.#timer = setTimeout(() => this.reload(), this.problem ? Math.min(AFTER_PROBLEM, this.#options.every) : this.#options.every);
      }
    }
    await this.#host.updateComplete;
  }
}
