import { get, path, query } from '../base/api.js';
import { Load } from '../base/load.js';

/**
 * What was heard and said in a conversation, oldest first. What was said is told by the messages of
 * the conversation, since those that have not arrived are not in its history; what has arrived and
 * is not kept any more is told by the history. The newest page of both is kept fresh; older ones are
 * added on demand. Of two sources that reach back differently far, only what both cover is shown,
 * so there is never a hole.
 */
export class ChatEntries {
  #host;
  #session;
  #shownFor = null;
  #entries = new Map();
  #back = {};

  constructor(host, session) {
    this.#host = host;
    this.#session = session;
    this.history = new Load(host, () => this.#page('history'), { on: ['inbound.', 'session.mirrored', 'turn.'], keep: true, then: (answer) => this.#take('history', answer) });
    this.messages = new Load(host, () => this.#page('messages'), { on: ['message.', 'receipt.'], keep: true, then: (answer) => this.#take('messages', answer) });
  }

  #page(source, cursor = null) {
    const session = this.#session();
    if (!session) return null;
    return source === 'history'
      ? query(path`/v1/sessions/${session}/history`, { limit: 50, cursor })
      : query('/v1/messages', { sessionId: session, limit: 50, cursor });
  }

  get problem() {
    return this.history.problem ?? this.messages.problem;
  }

  get loaded() {
    return this.#shownFor === this.#session() && this.#back.history !== undefined && this.#back.messages !== undefined;
  }

  get more() {
    return Boolean(this.#back.history?.cursor || this.#back.messages?.cursor);
  }

  /** The entries: {key, at, heard | said | message}, oldest first. */
  get all() {
    const floor = Math.max(...['history', 'messages'].map((source) => (this.#back[source]?.cursor ? this.#back[source].at : 0)));
    return [...this.#entries.values()].filter((entry) => Date.parse(entry.at) >= floor)
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.key < b.key ? -1 : 1));
  }

  #take(source, answer) {
    if (this.#shownFor !== this.#session()) {
      this.#shownFor = this.#session();
      this.#entries = new Map();
      this.#back = {};
    }
    answer.items.forEach((item) => this.#add(source, item));
    if (this.#back[source] === undefined) this.#reachBack(source, answer);
    return answer;
  }

  #reachBack(source, answer) {
    const last = answer.items.at(-1);
    this.#back[source] = { cursor: answer.next, at: last ? Date.parse(source === 'history' ? last.at : last.createdAt) : 0 };
  }

  #add(source, item) {
    if (source === 'messages') this.#entries.set(item.id, { key: item.id, at: item.createdAt, message: item });
    else if (item.kind === 'heard') this.#entries.set(item.message.id, { key: item.message.id, at: item.at, heard: item.message });
    else if (!this.#entries.get(item.messageId)?.message) this.#entries.set(item.messageId, { key: item.messageId, at: item.at, said: item });
  }

  /** Adds the page before what is shown. */
  async showOlder() {
    const session = this.#session();
    await Promise.all(['history', 'messages'].filter((source) => this.#back[source]?.cursor).map(async (source) => {
      const answer = await get(this.#page(source, this.#back[source].cursor));
      if (session !== this.#session()) return;
      answer.items.forEach((item) => this.#add(source, item));
      this.#reachBack(source, answer);
    }));
    this.#host.requestUpdate();
  }

  reload() {
    return Promise.all([this.history.reload(), this.messages.reload()]);
  }
}
