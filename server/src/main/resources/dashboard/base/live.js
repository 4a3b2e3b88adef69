import { isLoggingIn, Offline, request } from './api.js';

/** The server says something every 15 seconds. After two of them without a word it is taken for gone. */
const SILENCE = 35_000;

/**
 * The server's events, for whoever listens, and whether they flow. While the tab is hidden nothing
 * is followed, so that many tabs do not use up a browser's few connections; what was missed is
 * brought by `Last-Event-ID`, and where it cannot be, everybody loads anew.
 */
class Live extends EventTarget {
  /** 'connecting', 'live' or 'offline'. */
  state = 'connecting';

  /** When the server was last heard. */
  heardAt = null;

  #lastId = null;
  #abort = null;
  #silence = null;

  start() {
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.#abort?.abort();
      else this.#wake?.();
    });
    this.#followForEver();
  }

  #wake = null;

  /** The server has answered something, by whatever way. */
  heard() {
    this.heardAt = Date.now();
  }

  /** Gives the server so long to say something: one that hangs, or that is cut off, ends nothing by itself. */
  #expectWord() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      if (isLoggingIn()) return this.#expectWord();
      this.#set('offline');
      return this.#abort?.abort();
    }, SILENCE);
  }

  #set(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event('state'));
  }

  async #followForEver() {
    for (let failures = 0; ;) {
      if (document.hidden) await new Promise((resolve) => { this.#wake = resolve; });
      this.#abort = new AbortController();
      try {
        this.#expectWord();
        const headers = this.#lastId ? { 'Last-Event-ID': this.#lastId } : {};
        const response = await request('/v1/events', { headers, signal: this.#abort.signal });
        if (!response.ok) throw new Offline();
        failures = 0;
        this.#set('live');
        await this.#read(response.body);
      } catch {
        // Told by the state below; the next round tries again.
      } finally {
        clearTimeout(this.#silence);
      }
      if (document.hidden) continue;
      failures += 1;
      if (failures > 1) this.#set('offline');
      await new Promise((resolve) => { setTimeout(resolve, Math.min(5000, 500 * failures)); });
    }
  }

  async #read(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      this.heard();
      this.#expectWord();
      const blocks = (rest + chunk.value).split('\n\n');
      rest = blocks.pop();
      blocks.forEach((block) => this.#tell(block));
    }
  }

  #tell(block) {
    const fields = {};
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':');
      if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
    }
    this.#lastId = fields.id ?? this.#lastId;
    if (fields.data) this.dispatchEvent(new CustomEvent('event', { detail: JSON.parse(fields.data) }));
  }
}

export const live = new Live();
