import { View, html, nothing, repeat } from '../base/view.js';
import { query } from '../base/api.js';
import { Chosen } from '../base/chosen.js';
import { List } from '../base/list.js';
import { may } from '../base/me.js';
import { to } from '../base/route.js';
import { count, number, WAITED_FOR, waitingKind } from '../base/words.js';
import { cancelMessages, pauseOrResume, retryHeads } from './lane-actions.js';
import { pauseLane, resumeLane, retryHead } from './message-actions.js';
import { at, badge, more, newer, old, pending } from './shown.js';
import { waiting } from './waits.js';

/** Where a try before its time can change something. */
const RETRIED = ['retry', 'unreachable'];
const NAMES = ['kind', 'account', 'cause', 'to', 'state'];
const keyOf = (lane) => JSON.stringify([lane.account, lane.to]);

/** The lanes that hold messages or are paused, by filter, with what can be done with one or many. */
class LaneList extends View {
  static properties = { place: { attribute: false }, stats: { attribute: false }, filters: { attribute: false }, changed: { attribute: false } };

  chosen = new Chosen(this, () => JSON.stringify(this.filters.given(NAMES)), keyOf);
  list = new List(this, () => this.#path(), { key: keyOf, on: ['lane.', 'account.', 'message.'], pause: 1500 });

  #path() {
    return this.place ? query('/v1/lanes', { ...this.#query(), sort: this.place.filters.to || this.place.filters.kind ? '' : 'age', limit: 50 }) : null;
  }

  #query() {
    const { kind, cause, account, to: chat, state } = this.place.filters;
    return { waitingFor: kind, cause, account, to: chat, state };
  }

  view() {
    const given = Object.keys(this.filters.given(NAMES)).length > 0;
    return html`<section class="card" aria-label="Lanes">
      <div class="head"><h2>Lanes</h2>${newer(this.list)}</div>
      <div class="body"><form class="stack tight-stack" @submit=${(event) => event.preventDefault()}><div class="filters">
        ${this.filters.choice('kind', 'Waits for', WAITED_FOR.map((kind) => [kind, waitingKind(kind)]), 'anything')}
        ${this.filters.choice('account', 'Account', this.stats?.accounts.map((account) => account.id) ?? [])}
        ${this.filters.text('to', 'Chat')}
        ${this.filters.choice('state', 'State', ['waiting', 'sending', 'paused'])}
        ${given ? html`<button type="button" @click=${() => this.filters.clear(NAMES)}>Clear filters</button>` : nothing}
      </div>
      ${this.place.filters.cause ? html`<p class="quiet">Only those with the cause “${this.place.filters.cause}”.</p>` : nothing}</form></div>
      ${may('admin') ? this.#acts() : nothing}
      ${old(this.list)}
      ${this.#rows()}
    </section>`;
  }

  #rows() {
    if (this.list.items === null) return pending(this.list);
    const lanes = this.list.items;
    return html`
      ${lanes.length === 0 ? html`<p class="empty">${this.#none()}</p>` : html`<div class="scroll"><table class="cards even" aria-label="Lanes">
        <thead><tr>${may('admin') ? html`<th class="w-box">${this.chosen.allBox(lanes)}</th>` : nothing}
          <th class="w-name">Chat</th><th class="w-short">State</th><th class="num w-number">Messages</th><th>Waits</th><th class="w-short">Head</th>${may('admin') ? html`<th class="w-tools"><span class="unseen">Actions</span></th>` : nothing}</tr></thead>
        <tbody data-rows>${repeat(lanes, keyOf, (lane) => this.#lane(lane))}</tbody></table></div>`}
      ${this.list.page?.scanned !== undefined && this.list.page?.scanned !== null && this.list.more ? html`<p class="empty quiet">Looked at ${count(this.list.page.scanned, 'lane')} so far.</p>` : nothing}
      ${more(this.list, this)}`;
  }

  #none() {
    if (this.list.more) return 'None so far.';
    return Object.keys(this.filters.given(NAMES)).length ? 'No lane matches.' : 'No lane holds messages, and none is paused.';
  }

  #lane(lane) {
    const once = (action) => this.act(async () => this.#show(lane, await action(lane)));
    return html`<tr data-row class=${this.chosen.has(lane) ? 'chosen' : ''}>
      ${may('admin') ? html`<td class="tight">${this.chosen.box(lane, `Choose the lane of ${lane.to}`)}</td>` : nothing}
      <td data-name="Chat"><div><a class="whole clip" href=${to('messages', null, { account: lane.account, to: lane.to, status: 'queued,sending' })}>${lane.to}</a><span class="waits">${lane.account}</span></div></td>
      <td class="tight" data-name="State">${badge(lane.state)}</td>
      <td class="num" data-name="Messages">${number(lane.depth)}</td>
      <td data-name="Waits"><div>${waiting(lane.waitingFor)}${lane.paused && lane.waitingFor?.kind !== 'lanePaused' ? html`<span class="waits">the lane is paused${lane.pauseReason ? `: ${lane.pauseReason}` : ''}</span>` : nothing}</div></td>
      <td data-name="Head"><div>${lane.headId ? html`<a href=${to('messages', lane.headId)}>message</a>${lane.headDueAt ? html`<span class="waits">due ${at(lane.headDueAt)}</span>` : nothing}` : 'none'}</div></td>
      ${may('admin') ? html`<td class="tools"><div class="line">
        ${lane.headId && RETRIED.includes(lane.waitingFor?.kind) ? html`<button @click=${() => this.act(async () => { await retryHead(lane); await this.list.reload(); })}>Retry now</button>` : nothing}
        ${lane.paused ? html`<button class="primary" @click=${() => once(resumeLane)}>Resume</button>` : html`<button @click=${() => once(pauseLane)}>Pause…</button>`}
      </div></td>` : nothing}</tr>`;
  }

  /** In its place, since the person is at work in the list. */
  #show(lane, changed) {
    if (!changed) return undefined;
    this.list.change({ ...lane, paused: changed.paused, pauseReason: changed.pauseReason, state: changed.paused ? 'paused' : 'waiting', waitingFor: null });
    this.changed?.();
    return this.list.reload();
  }

  #acts() {
    const some = this.chosen.size > 0;
    const none = !some && !this.list.items?.length;
    const what = some ? `${this.chosen.size} chosen` : this.#isNarrow() ? 'all that match' : 'all';
    const messages = this.chosen.items.reduce((sum, lane) => sum + lane.depth, 0);
    const button = (words, action, kind = '') => html`<button class=${kind} ?disabled=${none} @click=${() => this.act(async () => { if (await action(this.#wanted()) > 0) await this.#afterwards(); })}>${words}</button>`;
    return html`<div class="acts">
      <span class="how-many" role="status">${some ? `${count(this.chosen.size, 'lane')} with ${count(messages, 'message')} chosen.` : 'None chosen: the buttons are for all lanes that match.'}</span>
      ${some ? html`<button class="plain" @click=${() => this.chosen.clear()}>Choose none</button>` : nothing}
      ${button(`Retry ${what} now…`, retryHeads)}
      ${button(`Pause ${what}…`, (lanes) => pauseOrResume('pause', lanes))}
      ${button(`Resume ${what}…`, (lanes) => pauseOrResume('resume', lanes))}
      ${button(`Cancel messages of ${what}…`, cancelMessages, 'danger')}
    </div>`;
  }

  #isNarrow() {
    return Object.values(this.#query()).some(Boolean);
  }

  /** What is chosen, else all lanes that the filters find. */
  #wanted() {
    return this.chosen.size > 0 ? { lanes: this.chosen.items.map(({ account, to: chat }) => ({ account, to: chat })) } : { ...this.#query(), all: true };
  }

  async #afterwards() {
    this.chosen.clear();
    this.changed?.();
    await this.list.renew();
  }
}

customElements.define('lane-list', LaneList);
