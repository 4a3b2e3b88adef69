import { View, html, nothing, repeat } from '../base/view.js';
import { Filters } from '../base/filters.js';
import { Steady } from '../base/held.js';
import { Load } from '../base/load.js';
import { may } from '../base/me.js';
import { go, to } from '../base/route.js';
import { count, number, waitingKind } from '../base/words.js';
import '../parts/lane-list.js';
import { stateOf } from '../parts/account.js';
import { accountAction } from '../parts/account-actions.js';
import { at, badge, old, pending, since } from '../parts/shown.js';

/** Those that stand first in no lane, so that no lane waits for this. */
const BEHIND = ['behind', 'other'];
const placeOf = (group) => (BEHIND.includes(group.kind) ? { account: group.account } : { kind: group.kind, account: group.account, cause: group.cause });
/** The messages of a group, and no others; nobody has looked at each of those that are called other. */
const messagesOf = (group) => (group.kind === 'other' ? null : to('messages', null, { account: group.account, status: 'queued', waitingFor: group.kind, cause: group.cause }));
const keyOf = (group) => JSON.stringify([group.kind, group.account, group.cause]);

/** What waits, for what, since when and until when; and the lanes behind it. */
class WaitingPage extends View {
  filters = new Filters(this);
  groups = new Load(this, () => '/v1/waiting', { on: ['account.', 'lane.', 'message.accepted', 'message.retrying', 'message.delivered', 'store.'], pause: 2500, every: 10_000 });
  steady = new Steady(() => this.querySelector('[data-groups]'), keyOf);

  view() {
    return html`
      <h1>Waiting</h1>
      ${this.#sentence()}
      ${old(this.groups)}
      <section class="card"><div class="head"><h2>What it waits for, the longest first</h2></div>${this.#groups()}</section>
      ${this.#paused()}
      <lane-list .place=${this.place} .stats=${this.stats} .filters=${this.filters} .changed=${() => this.groups.reload()}></lane-list>`;
  }

  #sentence() {
    const { data } = this.groups;
    if (!data) return nothing;
    if (data.total === 0) return html`<p class="sentence" role="status">Nothing waits.</p>`;
    return html`<p class="sentence">${count(data.total, 'message waits', 'messages wait')}${data.oldestAt ? html`, the oldest since ${at(data.oldestAt)}` : nothing}.
      ${data.complete ? nothing : html`<span class="quiet">There are so many that not each was looked at; some causes may be missing.</span>`}</p>`;
  }

  #groups() {
    const { data } = this.groups;
    if (!data) return pending(this.groups);
    const rows = this.steady.of(data.items);
    if (rows.length === 0) return html`<p class="empty">Nothing waits: what is accepted goes out at once.</p>`;
    return html`<div class="scroll"><table class="cards even" aria-label="What messages wait for">
      <thead><tr><th>Waits for</th><th class="w-name">Account</th><th class="num w-number">Messages</th><th class="num w-number">Lanes</th><th class="w-short">Oldest since</th><th class="w-next">What next</th><th class="w-tools"><span class="unseen">Actions</span></th></tr></thead>
      <tbody data-groups>${repeat(rows, keyOf, (group) => this.#group(group))}</tbody></table></div>`;
  }

  #group(group) {
    const { kind, account, cause } = this.place.filters;
    const chosen = kind === group.kind && (!account || account === group.account) && (!cause || cause === group.cause);
    return html`<tr data-row class=${chosen ? 'chosen' : ''}>
      <td class="main" data-name="Waits for"><div><a class="whole" aria-current=${chosen ? 'true' : nothing} href=${to('waiting', null, chosen ? {} : placeOf(group))}>${this.#kind(group)}</a>
        ${group.cause ? html`<span class="waits clip">${group.cause}</span>` : nothing}</div></td>
      <td data-name="Account"><a href=${to('accounts', group.account)}>${group.account}</a></td>
      <td class="num" data-name="Messages">${messagesOf(group) ? html`<a href=${messagesOf(group)}>${number(group.messages)}</a>` : number(group.messages)}</td>
      <td class="num" data-name="Lanes">${group.lanes === null || group.lanes === undefined ? '' : number(group.lanes)}</td>
      <td class="when" data-name="Oldest since"><div>${group.oldestAt ?? group.since ? html`${at(group.oldestAt ?? group.since)}<span class="waits">${since(group.oldestAt ?? group.since)}</span>` : html`<span class="quiet">not looked at</span>`}</div></td>
      <td data-name="What next"><div>${this.#until(group)}</div></td>
      <td class="tools">${this.#action(group)}</td></tr>`;
  }

  /** By the state of the account, if that is what it waits for. */
  #kind(group) {
    const account = this.stats?.accounts.find((one) => one.id === group.account);
    return group.kind === 'unreachable' && account && stateOf(account) !== 'ready' ? `account ${stateOf(account)}` : waitingKind(group.kind);
  }

  #until(group) {
    const probe = ['accountBroken', 'unreachable'].includes(group.kind);
    if (group.until) return html`${probe ? 'probe ' : ''}${at(group.until)}<span class="waits">${since(group.until)}</span>`;
    if (['lanePaused', 'accountPaused'].includes(group.kind)) return 'when resumed';
    if (BEHIND.includes(group.kind)) return 'after those before them';
    if (probe) return 'when somebody helps';
    return group.kind === 'pace' ? 'in its turn' : 'not known';
  }

  #action(group) {
    if (group.kind === 'sendAt') { // they take a place in a lane only when their time has come
      return html`<div class="line"><a class="button" href=${messagesOf(group)}>Show messages</a></div>`;
    }
    const account = this.stats?.accounts.find((one) => one.id === group.account);
    const lanes = html`<button @click=${() => this.#choose(group)}>Show lanes</button>`;
    if (account && ['accountPaused', 'accountBroken', 'unreachable'].includes(group.kind)) {
      return html`<div class="line">${accountAction(account, this, () => this.groups.reload())}${lanes}</div>`;
    }
    return html`<div class="line">${lanes}</div>`;
  }

  #choose(group) {
    go('waiting', null, placeOf(group));
    this.querySelector('lane-list').scrollIntoView({ block: 'start' });
  }

  /** What somebody has stopped on purpose, also where nothing waits for it. */
  #paused() {
    const accounts = this.stats?.accounts.filter((account) => account.health === 'paused') ?? [];
    const lanes = this.stats?.pausedLanes ?? 0;
    if (accounts.length === 0 && lanes === 0) return nothing;
    return html`<section class="card"><div class="head"><h2>Paused on purpose</h2></div><div class="body stack tight-stack">
      ${accounts.map((account) => html`<div class="line">${badge('paused')}<span>Account <a href=${to('accounts', account.id)}>${account.id}</a> since ${at(account.since)}${account.reason ? `: ${account.reason}` : ''}; ${count(account.queued, 'message waits', 'messages wait')}.</span>
        ${accountAction(account, this, () => this.groups.reload())}</div>`)}
      ${lanes > 0 ? html`<div class="line">${badge('paused')}<a href=${to('waiting', null, { state: 'paused' })}>${count(lanes, 'lane')}</a>${may('admin') ? html`<button @click=${() => go('waiting', null, { state: 'paused' })}>Show ${lanes === 1 ? 'it' : 'them'}</button>` : nothing}</div>` : nothing}
    </div></section>`;
  }
}

customElements.define('page-waiting', WaitingPage);
