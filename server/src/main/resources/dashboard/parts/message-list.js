import { View, html, nothing } from '../base/view.js';
import { query } from '../base/api.js';
import { Chosen } from '../base/chosen.js';
import { Filters } from '../base/filters.js';
import { find, listOf } from '../base/find.js';
import { List } from '../base/list.js';
import { may } from '../base/me.js';
import { go, to } from '../base/route.js';
import { count, WAITED_FOR, waitingKind } from '../base/words.js';
import { bulk } from './bulk.js';
import { looked, messageTable } from './message-rows.js';
import { more, newer, old, pending } from './shown.js';

const STATUSES = ['queued', 'sending', 'delivered', 'failed', 'expired', 'held', 'cancelled'];
const RECEIPTS = ['sent', 'delivered', 'read', 'failed'];
const NAMES = ['text', 'account', 'status', 'to', 'idempotencyKey', 'metadata', 'reason', 'receiptStatus', 'receipt', 'since', 'until', 'runId', 'sessionId', 'turnId', 'waitingFor', 'cause'];
const RARE = ['idempotencyKey', 'metadata', 'reason', 'receiptStatus', 'receipt', 'since', 'until', 'runId', 'sessionId', 'turnId', 'waitingFor', 'cause'];

/** Filters as the API has them: metadata is written KEY=VALUE here. */
function asQuery({ metadata, ...filters }) {
  const equals = metadata?.indexOf('=') ?? -1;
  return equals > 0 ? { ...filters, [`metadata.${metadata.slice(0, equals)}`]: metadata.slice(equals + 1) } : filters;
}

/** The same in the body of a request. */
function asBody({ metadata, ...filters }) {
  const equals = metadata?.indexOf('=') ?? -1;
  return equals > 0 ? { ...filters, metadata: { [metadata.slice(0, equals)]: metadata.slice(equals + 1) } } : filters;
}

/** Filters for which messages themselves are read, some thousand a page. */
const LOOKED_FOR = ['text', 'metadata', 'receipt', 'waitingFor', 'cause'];

/** How many pages without a hit are passed over before the person is asked whether to go on. */
const PAGES = 20;

/** All messages, the newest first, by any filter; and the search of the header. */
class MessageList extends View {
  static properties = { place: { attribute: false }, stats: { attribute: false } };

  filters = new Filters(this);
  chosen = new Chosen(this, () => this.#path());
  list = new List(this, () => this.#path(), { on: ['message.', 'receipt.'], pause: () => (this.#looksFor() ? 10_000 : 1000), every: 20_000 });

  #looking = 0;
  #searched = null;
  #found = null;
  #unable = null;

  willUpdate() {
    const wanted = this.place?.filters.find ?? null;
    if (wanted !== this.#searched) this.#find(wanted);
  }

  #looksFor() {
    return LOOKED_FOR.some((name) => this.#given()[name]);
  }

  updated() {
    if (this.list.items === null) this.#looking = 0;
    else if (this.list.items.length === 0 && this.list.more && this.#looking < PAGES) {
      this.#looking += 1;
      this.act(() => this.list.showMore());
    }
  }

  async #find(text) {
    this.#searched = text;
    this.#found = null;
    this.#unable = null;
    if (text === null) return;
    try {
      const found = await find(text);
      if (this.#searched !== text) return;
      this.#found = found;
      if (found.id) go('messages', found.id);
    } catch (problem) {
      this.#unable = problem.message;
    }
    this.requestUpdate();
  }

  #given() {
    return { ...this.#found?.filter, ...this.filters.given(NAMES) };
  }

  #path() {
    if (!this.place || (this.place.filters.find && !this.#found?.filter)) return null;
    return query('/v1/messages', { ...asQuery(this.#given()), limit: 50 });
  }

  view() {
    const { find: searched } = this.place.filters;
    return html`
      <div class="title"><h1>Messages</h1>${may('send') ? html`<a class="button primary" href="#/compose">Compose</a>` : nothing}</div>
      ${searched ? this.#search(searched) : nothing}
      <section class="card" aria-label="Messages">
        <div class="head"><h2>${this.#heading()}</h2>${newer(this.list)}</div>
        <div class="body">${this.#form()}</div>
        ${may('admin') ? this.#acts() : nothing}
        ${old(this.list)}
        ${this.#rows()}
      </section>`;
  }

  #heading() {
    const given = Object.keys(this.#given()).length;
    return given ? 'Those that match, the newest first' : 'All, the newest first';
  }

  #search(text) {
    const found = this.#found;
    return html`<section class="card"><div class="body stack">
      <h2>Search for “${text}”</h2>
      ${this.#unable ? html`<p class="problem" role="alert">${this.#unable}</p>`
        : html`<p role="status">${found ? found.said : 'Looking for it among ids, keys, chats and texts…'}</p>`}
      <p class="line">
        ${(found?.others ?? []).map((place) => html`<a class="button" href=${listOf(place, text)}>Look in ${place.name === 'text' ? 'texts' : `${place.name}s`} too</a>`)}
        <a class="button" href="#/messages">Show all messages</a></p>
    </div></section>`;
  }

  #form() {
    const f = this.filters;
    const rare = RARE.some((name) => this.place.filters[name]);
    const accounts = this.stats?.accounts.map((account) => account.id) ?? [];
    return html`<form class="stack tight-stack" @submit=${(event) => event.preventDefault()}>
      <div class="filters">
        <span class="broad">${f.text('text', 'Text contains')}</span>
        ${f.text('to', 'Chat')}
        ${f.choice('account', 'Account', accounts)}
        ${f.choice('status', 'Status', [...STATUSES, ['queued,sending', 'queued or sending'], ['failed,expired,held', 'any dead letter']])}
        ${Object.keys(this.filters.given(NAMES)).length ? html`<button type="button" @click=${() => f.clear(NAMES)}>Clear filters</button>` : nothing}
      </div>
      <details ?open=${rare}><summary>More filters, and by id</summary><div class="filters">
        <label>Id <input type="search" name="id" autocomplete="off" spellcheck="false" placeholder="opens the message" @change=${(event) => event.target.value.trim() && go('messages', event.target.value.trim().toLowerCase())}></label>
        ${f.text('idempotencyKey', 'Key')}
        ${f.text('metadata', 'Metadata', { placeholder: 'order=77', title: 'The name and the value of one entry, with = between them' })}
        ${f.text('reason', 'Reason', { placeholder: 'rejected-target' })}
        ${f.choice('receiptStatus', 'Receipt status', RECEIPTS)}
        ${f.text('receipt', 'Receipt')}
        ${f.text('since', 'Accepted since', { placeholder: '6h, or an instant', title: 'How long ago, such as 6h, or an instant such as 2026-11-20T09:00:00Z' })}
        ${f.text('until', 'Accepted before', { placeholder: '1h, or an instant', title: 'How long ago, such as 1h, or an instant such as 2026-11-20T09:00:00Z' })}
        ${f.text('runId', 'Run')}${f.text('sessionId', 'Session')}${f.text('turnId', 'Turn')}
        ${f.choice('waitingFor', 'Waits for', WAITED_FOR.map((kind) => [kind, waitingKind(kind)]), 'anything')}
        ${f.text('cause', 'Cause of waiting', { placeholder: 'to the letter' })}
      </div></details>
    </form>`;
  }

  #acts() {
    const some = this.chosen.size > 0;
    const given = this.#given();
    const none = !some && (!this.list.items?.length || (given.status && !given.status.split(',').includes('queued')));
    const what = some ? `${this.chosen.size} chosen` : Object.keys(given).length ? 'all that match' : 'all';
    return html`<div class="acts">
      <span class="how-many" role="status">${some ? `${count(this.chosen.size, 'message')} chosen.` : 'None chosen: the buttons are for all that match.'}</span>
      ${some ? html`<button class="plain" @click=${() => this.chosen.clear()}>Choose none</button>` : nothing}
      <button ?disabled=${none} @click=${() => this.act(() => this.#retry())}>Retry ${what} now…</button>
      <button class="danger" ?disabled=${none} @click=${() => this.act(() => this.#cancel())}>Cancel ${what}…</button>
    </div>`;
  }

  /** What is chosen, else what the filters find and has not ended yet. */
  #wanted() {
    if (this.chosen.size > 0) return { ids: this.chosen.items.map((message) => message.id) };
    return { ...asBody(this.#given()), status: 'queued' };
  }

  async #retry() {
    await bulk('/v1/messages/retry', this.#wanted(), { verb: 'Retry', done: 'tried now', text: html`<p>Messages that wait are tried now instead of when they are due. Those that wait behind another message, or for an account that cannot send, go on waiting.</p>` });
    this.#afterwards();
  }

  async #cancel() {
    await bulk('/v1/messages/cancel', this.#wanted(), { verb: 'Cancel', done: 'cancelled', danger: true, text: html`<p>They are not sent then. Only messages that are still queued can be cancelled; this cannot be undone.</p>` });
    this.#afterwards();
  }

  #afterwards() {
    this.chosen.clear();
    return this.list.renew();
  }

  #rows() {
    const { items } = this.list;
    if (this.place.filters.find && !this.#found) return nothing;
    if (items === null) return pending(this.list);
    return html`
      ${items.length ? messageTable(items, { chosen: may('admin') ? this.chosen : null }) : html`<p class="empty">${this.#none()}</p>`}
      ${looked(this.list)}
      ${more(this.list, this)}`;
  }

  #none() {
    if (this.list.more) return this.#looking < PAGES ? 'None so far; looking further back…' : 'None so far.';
    if (Object.keys(this.#given()).length) return html`No message matches. <a href=${to('messages')}>Show all messages</a>`;
    return html`There are no messages yet. ${may('send') ? html`<a href="#/compose">Compose one</a>.` : nothing}`;
  }
}

customElements.define('message-list', MessageList);
