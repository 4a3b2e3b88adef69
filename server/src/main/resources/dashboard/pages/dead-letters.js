import { View, html, nothing, repeat } from '../base/view.js';
import { get, post, query, save } from '../base/api.js';
import { Chosen } from '../base/chosen.js';
import { Filters } from '../base/filters.js';
import { Steady } from '../base/held.js';
import { List } from '../base/list.js';
import { Load } from '../base/load.js';
import { may } from '../base/me.js';
import { go, to } from '../base/route.js';
import { count, number } from '../base/words.js';
import { bulk } from '../parts/bulk.js';
import { confirm } from '../parts/dialog.js';
import { discard, replay } from '../parts/message-actions.js';
import { looked, messageTable } from '../parts/message-rows.js';
import { editAndReplay } from '../parts/replay.js';
import { at, badge, more, newer, old, pending, since } from '../parts/shown.js';
import { toast, unlessUndone } from '../parts/toast.js';

const NAMES = ['text', 'account', 'status', 'to', 'reason', 'since', 'until', 'runId'];
const keyOf = (group) => JSON.stringify([group.account, group.status, group.reason, group.error]);
const EVENTS = ['message.failed', 'message.expired', 'message.held'];
/** So many are discarded with one request, which can wait until nobody can take it back any more. */
const UNDOABLE = 500;
const REPLAYING = 'Each is sent again as a new message that points to the old one; parts that have arrived are not repeated.';

/** What ended undelivered, by why, and what can be done with it. */
class DeadLettersPage extends View {
  filters = new Filters(this);
  chosen = new Chosen(this, () => JSON.stringify(this.#given()));
  groups = new Load(this, () => '/v1/dead-letters/groups', { on: EVENTS, pause: 2500, every: 15_000 });
  list = new List(this, () => (this.place ? query('/v1/dead-letters', { ...this.#given(), limit: 50 }) : null), { on: EVENTS, pause: 1000 });
  steady = new Steady(() => this.querySelector('[data-groups]'), keyOf);

  /** Those that are discarded as soon as nobody can take it back any more. */
  #leaving = new Set();

  /** What was replayed here, by its old id: a list that was asked for before does not know it. */
  #newIds = new Map();

  #given() {
    return this.filters.given(NAMES);
  }

  view() {
    if (this.place.id) {
      go('messages', this.place.id);
      return nothing;
    }
    const given = this.#given();
    return html`
      <div class="title"><h1>Dead letters</h1>
        <button @click=${() => this.act(() => save(query('/v1/dead-letters/export', given), 'dead-letters.ndjson'))}>Export ${Object.keys(given).length ? 'what matches' : 'all'}</button></div>
      ${this.#sentence()}
      ${old(this.groups)}
      <section class="card"><div class="head"><h2>By reason, the most first</h2></div>${this.#groups()}</section>
      <section class="card" aria-label="Dead letters">
        <div class="head"><h2>${Object.keys(given).length ? 'Those that match' : 'All'}, the newest first</h2>${newer(this.list)}</div>
        <div class="body">${this.#form(given)}</div>
        ${may('admin') ? this.#acts(given) : nothing}
        ${old(this.list)}
        ${this.#rows()}
      </section>`;
  }

  #sentence() {
    const amount = this.stats?.deadLetters;
    if (amount === undefined) return nothing;
    return html`<p class="sentence">${amount === 0 ? 'There are none: everything was delivered or is on its way.'
      : `${count(amount, 'message')} ended undelivered. They are kept for a while, to be sent again or discarded.`}</p>`;
  }

  #groups() {
    const { data } = this.groups;
    if (!data) return pending(this.groups);
    const rows = this.steady.of(data.items);
    if (rows.length === 0) return html`<p class="empty">No message ended undelivered.</p>`;
    return html`${data.complete ? nothing : html`<p class="note within">There are so many that only those that ended last were added up.</p>`}
      <div class="scroll"><table class="cards even" aria-label="Dead letters by reason">
      <thead><tr><th>Reason</th><th class="w-short">Status</th><th class="w-name">Account</th><th class="num w-number">Messages</th><th class="w-short">Newest</th><th class="w-tools"><span class="unseen">Actions</span></th></tr></thead>
      <tbody data-groups>${repeat(rows, keyOf, (group) => this.#group(group))}</tbody></table></div>`;
  }

  #group(group) {
    const filter = { account: group.account, status: group.status, reason: group.reason };
    const { account, status, reason } = this.place.filters;
    const chosen = account === group.account && status === group.status && (reason ?? '') === (group.reason ?? '');
    return html`<tr data-row class=${chosen ? 'chosen' : ''}>
      <td class="main" data-name="Reason"><div><a class="whole" aria-current=${chosen ? 'true' : nothing} href=${to('dead-letters', null, chosen ? {} : filter)}>${group.reason ?? group.status}</a>
        ${group.error ? html`<span class="waits clip">${group.error}</span>` : nothing}</div></td>
      <td data-name="Status">${badge(group.status)}</td>
      <td data-name="Account"><a href=${to('accounts', group.account)}>${group.account}</a></td>
      <td class="num" data-name="Messages"><a href=${to('dead-letters', null, filter)}>${number(group.messages)}</a></td>
      <td class="when" data-name="Newest"><div>${at(group.newestAt)}<span class="waits">${since(group.newestAt)}</span></div></td>
      <td class="tools">${may('admin') ? html`<div class="line">
        <button @click=${() => this.act(() => this.#replay(filter))}>Replay…</button>
        <button class="danger" @click=${() => this.act(() => this.#discardAll(filter))}>Discard…</button></div>` : nothing}</td></tr>`;
  }

  #form(given) {
    const f = this.filters;
    return html`<form @submit=${(event) => event.preventDefault()}><div class="filters">
      <span class="broad">${f.text('text', 'Text contains')}</span>
      ${f.text('to', 'Chat')}
      ${f.choice('account', 'Account', this.stats?.accounts.map((account) => account.id) ?? [])}
      ${f.choice('status', 'Status', ['failed', 'expired', 'held'])}
      ${f.text('reason', 'Reason', { placeholder: 'rejected-target' })}
      ${f.text('since', 'Accepted since', { placeholder: '6h, or an instant', title: 'How long ago, such as 6h, or an instant such as 2026-11-20T09:00:00Z' })}
      ${Object.keys(given).length ? html`<button type="button" @click=${() => f.clear(NAMES)}>Clear filters</button>` : nothing}
    </div></form>`;
  }

  #acts(given) {
    const some = this.chosen.size > 0;
    const what = some ? `${this.chosen.size} chosen` : Object.keys(given).length ? 'all that match' : 'all';
    const none = !some && !this.list.items?.length;
    const wanted = () => (some ? { ids: this.chosen.items.map((message) => message.id) } : this.#asked());
    return html`<div class="acts">
      <span class="how-many" role="status">${some ? `${count(this.chosen.size, 'message')} chosen.` : 'None chosen: the buttons are for all that match.'}</span>
      ${some ? html`<button class="plain" @click=${() => this.chosen.clear()}>Choose none</button>` : nothing}
      <button ?disabled=${none} @click=${() => this.act(() => this.#replay(wanted()))}>Replay ${what}…</button>
      <button class="danger" ?disabled=${none} @click=${() => this.act(() => this.#discardAll(wanted()))}>Discard ${what}…</button>
    </div>`;
  }

  /** Without a filter all must be asked for by that word. */
  #asked() {
    const given = this.#given();
    return Object.keys(given).length ? given : { all: true };
  }

  #rows() {
    const { items } = this.list;
    if (items === null) return pending(this.list);
    const shown = items.filter((message) => !this.#leaving.has(message.id))
      .map((message) => (this.#newIds.has(message.id) ? { ...message, replayedAs: this.#newIds.get(message.id) } : message));
    return html`
      ${shown.length ? messageTable(shown, { chosen: may('admin') ? this.chosen : null, tools: may('admin') ? (message) => this.#tools(message) : null, when: 'endedAt', label: 'Dead letters' })
        : html`<p class="empty">${this.list.more ? 'None so far.' : Object.keys(this.#given()).length ? html`No dead letter matches. <a href="#/dead-letters">Show all</a>` : 'There are no dead letters.'}</p>`}
      ${looked(this.list)}
      ${more(this.list, this)}`;
  }

  #tools(message) {
    return html`<div class="line">
      ${message.replayedAs ? html`<a class="button" href=${to('messages', message.replayedAs)}>See the replay</a>` : html`
        <button ?disabled=${this.isBusy(message.id)} @click=${() => this.once(message.id, async () => this.#replayed(message, await replay(message)))}>Replay</button>
        <button @click=${() => this.act(async () => this.#replayed(message, await editAndReplay(message)))}>Edit…</button>`}
      <button class="danger" @click=${() => this.#discard(message)}>Discard</button></div>`;
  }

  #replayed(message, replayed) {
    if (!replayed) return;
    this.#newIds.set(message.id, replayed.id);
    this.requestUpdate();
    this.groups.reload();
  }

  #discard(message) {
    this.#leave([message.id], true);
    discard(message, {
      then: () => Promise.all([this.groups.reload(), this.list.reload()]),
      undone: () => this.#leave([message.id], false),
    });
  }

  async #replay(filter) {
    if ((await bulk('/v1/dead-letters/replay', filter, { verb: 'Replay', done: 'replayed', text: html`<p>${REPLAYING}</p>` })) > 0) await this.#afterwards();
  }

  /** As many as one request takes can be taken back for some seconds; more are discarded step by step. */
  async #discardAll(filter) {
    const ids = filter.ids ?? await this.#idsOf(filter);
    if (ids !== null && ids.length <= UNDOABLE) await this.#discardSome(ids);
    else if ((await bulk('/v1/dead-letters/discard', filter, { verb: 'Discard', done: 'discarded', danger: true, text: html`<p>They are deleted with their history; so many cannot be taken back. An export keeps a copy.</p>` })) > 0) await this.#afterwards();
  }

  /** Those that a filter finds now; null if they are too many. */
  async #idsOf({ all, ...filter }) {
    const page = await get(query('/v1/dead-letters', { ...filter, limit: UNDOABLE }));
    return page.next ? null : page.items.map((message) => message.id);
  }

  async #discardSome(ids) {
    if (ids.length === 0) {
      toast('There is nothing to discard any more.');
      return;
    }
    const words = count(ids.length, 'message');
    const yes = await confirm({ title: `Discard ${words}?`, action: `Discard ${words}`, danger: true, text: html`<p>They are deleted with their history. You can take it back for some seconds; an export keeps a copy.</p>` });
    if (!yes) return;
    this.#leave(ids, true);
    this.chosen.clear();
    unlessUndone(`${words} ${ids.length === 1 ? 'is' : 'are'} discarded.`, () => this.act(async () => {
      const { refused } = await post('/v1/dead-letters/discard', { ids }, { keepalive: true });
      this.#leave(refused.map((one) => one.id), false);
      if (refused.length > 0) toast(`${count(refused.length, 'message')} could not be discarded: ${refused[0].reason}.`, { bad: true });
      await this.#afterwards();
    }), 8, () => this.#leave(ids, false));
  }

  #leave(ids, leaving) {
    ids.forEach((id) => (leaving ? this.#leaving.add(id) : this.#leaving.delete(id)));
    this.requestUpdate();
  }

  async #afterwards() {
    this.chosen.clear();
    await Promise.all([this.list.renew(), this.groups.reload()]);
  }
}

customElements.define('page-dead-letters', DeadLettersPage);
