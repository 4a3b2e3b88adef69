import { View, html, nothing, repeat } from '../base/view.js';
import { List } from '../base/list.js';
import { Load } from '../base/load.js';
import { query } from '../base/api.js';
import { refine, to } from '../base/route.js';
import { count, number } from '../base/words.js';
import { badge, more, newer, old, pending, since } from '../parts/shown.js';
import '../parts/conversation.js';
import '../parts/inbound-list.js';

/** The tabs, by the state of the inbound messages they list; the first lists conversations. */
const TABS = [
  { state: null, title: 'All' },
  { state: 'pending', title: 'Waiting', of: (inbound) => inbound.pending },
  { state: 'leased', title: 'Being handled', of: (inbound) => inbound.leased },
  { state: 'failed', title: 'Dead letters', of: (inbound) => inbound.failed, bad: true },
];

/** Conversations with people on the platforms, the newest word first, and what came in and is not handled. */
class ConversationsPage extends View {
  sessions = new List(this, () => (this.#listed() ? query('/v1/sessions', { account: this.place.filters.account, limit: 50 }) : null), { on: ['inbound.', 'session.', 'message.delivered'] });
  failed = new Load(this, () => (this.#listed() ? '/v1/inbound?status=failed&limit=200' : null), { on: ['inbound.failed'] });
  leased = new Load(this, () => (this.#listed() ? '/v1/inbound?status=leased&limit=200' : null), { on: ['inbound.leased', 'inbound.handled', 'inbound.retrying'] });

  /** Whether the list of conversations is what the address asks for. */
  #listed() {
    return this.place && this.place.id === null && !this.place.filters.state;
  }

  view() {
    const { id, filters } = this.place;
    if (id !== null) return html`<conversation-view .session=${id} .accounts=${this.stats?.accounts ?? []}></conversation-view>`;
    return html`
      <div class="title"><h1>Conversations</h1></div>
      ${this.#sentence()}
      <div class="line">
        <div class="tabs" role="group" aria-label="What to list">${TABS.map((tab) => this.#tab(tab, filters.state ?? null))}</div>
        <span class="filters"><select aria-label="Account" @change=${(event) => refine({ account: event.target.value })}>
          <option value="" ?selected=${!filters.account}>Any account</option>
          ${(this.stats?.accounts ?? []).map((account) => html`<option value=${account.id} ?selected=${account.id === filters.account}>${account.id}</option>`)}
        </select></span>
      </div>
      ${filters.state
    ? html`<inbound-list .state=${filters.state} .account=${filters.account} .session=${filters.session}></inbound-list>`
    : this.#list()}`;
  }

  #sentence() {
    const inbound = this.stats?.inbound;
    if (!inbound) return nothing;
    if (inbound.failed > 0) return html`<p class="sentence bad">${count(inbound.failed, 'message')} from people could not be handled. <a href=${to('conversations', null, { state: 'failed' })}>See why, and replay or discard ${inbound.failed === 1 ? 'it' : 'them'}.</a></p>`;
    const wait = inbound.pending + inbound.leased;
    return html`<p class="sentence">${wait === 0 ? 'Everything that people have written is handled.' : `${count(wait, 'message')} from people ${wait === 1 ? 'is' : 'are'} not handled yet.`}</p>`;
  }

  #tab(tab, state) {
    const amount = tab.of && this.stats ? tab.of(this.stats.inbound) : 0;
    return html`<button aria-pressed=${tab.state === state ? 'true' : 'false'} @click=${() => refine({ state: tab.state, session: null })}>${tab.title}
      ${amount > 0 ? html`<span class="count ${tab.bad ? 'bad' : ''}">${number(amount)}</span>` : nothing}</button>`;
  }

  #list() {
    if (!this.sessions.items) return pending(this.sessions);
    const failed = perSession(this.failed.data);
    const leased = perSession(this.leased.data);
    if (this.sessions.items.length === 0) return html`<section class="card"><p class="empty">Nobody has written yet. You can write as somebody on the <a href="#/sandbox">Sandbox page</a>.</p></section>`;
    return html`${old(this.sessions, this.failed, this.leased)}
      ${newer(this.sessions)}
      <section class="card"><div class="scroll"><table class="cards">
        <thead><tr><th>Conversation</th><th>State</th><th class="num">Not handled</th><th>Last word</th></tr></thead>
        <tbody data-rows>${repeat(this.sessions.items, (session) => session.id, (session) => html`<tr data-row>
          <td class="main"><a class="whole" href=${to('conversations', session.id)}>${session.id}</a>
            ${session.movedTo ? html`<div class="quiet">goes on as ${session.movedTo}</div>` : nothing}
            ${session.paused && session.pauseReason ? html`<div class="quiet">${session.pauseReason}</div>` : nothing}</td>
          <td data-name="State"><span class="line">${states(session, leased.get(session.id), failed.get(session.id))}</span></td>
          <td class="num" data-name="Not handled">${number(session.waiting)}</td>
          <td class="when" data-name="Last word">${since(session.lastAt)}</td>
        </tr>`)}</tbody>
      </table></div>${more(this.sessions, this)}</section>`;
  }
}

function perSession(answer) {
  const counts = new Map();
  for (const message of answer?.items ?? []) {
    if (!message.replayedAs) counts.set(message.sessionId, (counts.get(message.sessionId) ?? 0) + 1);
  }
  return counts;
}

function states(session, leased = 0, failed = 0) {
  const all = [
    session.paused ? badge('paused', 'Nothing of it is handed out.') : null,
    leased > 0 ? badge('leased', 'Somebody has a message of it to handle.') : null,
    session.waiting > leased && !session.paused ? badge('waiting') : null,
    failed > 0 ? html`<a class="badge bad" href=${to('conversations', null, { state: 'failed', session: session.id })}>${number(failed)} failed</a>` : null,
  ].filter(Boolean);
  return all.length > 0 ? all : html`<span class="quiet">all handled</span>`;
}

customElements.define('page-conversations', ConversationsPage);
