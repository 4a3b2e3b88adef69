import { View, html, nothing, repeat } from '../base/view.js';
import { Steady } from '../base/held.js';
import { Load } from '../base/load.js';
import { to } from '../base/route.js';
import { count, number, sentence } from '../base/words.js';
import { byTrouble, stateOf } from '../parts/account.js';
import { accountTable } from '../parts/account-table.js';
import '../parts/history.js';
import { problems } from '../parts/problems.js';
import { at, old, pending, since } from '../parts/shown.js';

/** Rates are over so long, in milliseconds; shorter would jump. */
const OVER = 15_000;

/** So many problems are shown at first, the worst ones. */
const SHOWN = 6;

/** How it is: in one sentence, in figures, over time, by account, and what is not well. */
class OverviewPage extends View {
  static properties = { all: { state: true } };

  health = new Load(this, () => '/healthz', { every: 10_000, on: ['account.', 'listening.', 'store.'], pause: 2000 });
  waiting = new Load(this, () => '/v1/waiting', { every: 10_000, on: ['account.', 'lane.', 'message.retrying'], pause: 3000 });
  dead = new Load(this, () => '/v1/dead-letters/groups', { every: 20_000, on: ['message.failed', 'message.held', 'message.expired'], pause: 3000 });
  inbound = new Load(this, () => (this.stats?.inbound.failed > 0 ? '/v1/inbound?status=failed&limit=50' : null), { every: 20_000, on: ['inbound.failed', 'inbound.received'], pause: 3000 });
  runs = new Load(this, () => '/v1/runs?status=paused&limit=20', { every: 20_000, on: ['run.'], pause: 3000 });
  steady = new Steady(() => this.querySelector('[data-problems]'), (problem) => problem.key);

  #samples = [];

  willUpdate() {
    const { stats } = this;
    const last = this.#samples.at(-1);
    if (!stats || stats.at === last?.at) return;
    if (last && (stats.startedAt !== last.startedAt || stats.node !== last.node)) this.#samples = [];
    this.#samples = [...this.#samples.filter((sample) => Date.parse(stats.at) - Date.parse(sample.at) <= OVER), stats];
  }

  /** What happens in a second, over the last seconds; null until that is known. */
  #rates() {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    const seconds = first ? (Date.parse(last.at) - Date.parse(first.at)) / 1000 : 0;
    if (seconds < 1) return null;
    const rate = (name) => (last[name] - first[name]) / seconds;
    return { accepted: rate('accepted'), delivered: rate('delivered'), errors: rate('retried') + rate('failed'), undelivered: rate('failed') + rate('expired') + rate('held') };
  }

  view() {
    const { stats } = this;
    if (!stats) return html`<h1>Overview</h1>${pending(this.health)}`;
    const rates = this.#rates();
    const found = problems({ stats, health: this.health.data, waiting: this.waiting.data, dead: this.dead.data, inbound: this.inbound.data, runs: this.runs.data }, this);
    return html`
      <h1>Overview</h1>
      ${this.#sentence(stats, rates, found)}
      ${old(this.health)}
      ${this.#tiles(stats, rates)}
      <div class="columns wide-left now">
        ${this.#problems(found)}
        <past-charts .place=${this.place} .stats=${stats} .rates=${rates}></past-charts>
      </div>
      <section class="card"><div class="head"><h2>Accounts</h2></div>${stats.accounts.length ? accountTable(stats.accounts.toSorted(byTrouble), this) : html`<p class="empty">No account is configured.</p>`}</section>`;
  }

  /** One sentence; each clause leads to the list behind it. */
  #sentence(stats, rates, found) {
    const list = (some, words, address) => (some.length ? [html`<a href=${some.length === 1 ? to('accounts', some[0].id) : to('accounts', null, { health: address })}>${some.length === 1 ? `account ${some[0].id} is` : `${some.length} accounts are`} ${words}</a>`] : []);
    const deaf = stats.accounts.filter((account) => account.listening.status === 'failing' && stateOf(account) === 'ready');
    const clauses = [
      ...(stats.storeDownBecause ? [html`<a href="#/cluster">the store takes no writes</a>`] : []),
      ...['broken', 'unreachable', 'logged out'].flatMap((state) => list(stats.accounts.filter((account) => stateOf(account) === state), state, state)),
      ...list(deaf, 'deaf', 'hears nothing'),
      ...list(stats.accounts.filter((account) => account.health === 'paused'), 'paused', 'paused'),
      stats.queued > 0 ? html`<a href="#/waiting">${count(stats.queued, 'message waits', 'messages wait')}</a>${stats.oldestWaitingAt ? html`, the oldest since ${at(stats.oldestWaitingAt)}` : nothing}` : html`<a href="#/waiting">nothing waits</a>`,
      ...(stats.deadLetters > 0 ? [html`<a href="#/dead-letters">${count(stats.deadLetters, 'message')} ended undelivered</a>`] : []),
      ...(found.some((problem) => problem.tone === 'bad') || !rates ? [] : [html`<a href="#/messages?status=delivered">${rate(rates.delivered)} delivered a second</a>`]),
    ];
    return html`<p class="sentence state"><span role="status">${this.#verdict(found)}</span>${clauses.map((clause, i) => html`${i > 0 ? '; ' : nothing}${clause}`)}.</p>`;
  }

  /** Of all that is known, and only once that is. */
  #verdict(found) {
    if (found.some((problem) => problem.tone === 'bad') || this.health.data?.status === 'degraded') return html`<strong class="tone bad">Not all is well: </strong>`;
    if (found.some((problem) => problem.needed)) return html`<strong class="tone warn">Somebody is needed: </strong>`;
    const known = [this.health, this.waiting, this.dead, this.runs].every((load) => load.data);
    return known && !found.some((problem) => problem.open > 0) ? html`<strong class="tone good">All is well: </strong>` : nothing;
  }

  #tiles(stats, rates) {
    const tile = (name, href, figure, about) => html`<a class="tile" href=${href}><div class="name">${name}</div><div class="figure">${figure}</div><div class="more-about">${about}</div></a>`;
    const { inbound } = stats;
    return html`<div class="tiles">
      ${tile('Accepted a second', '#/messages', rates ? rate(rates.accepted) : '…', `${number(stats.accepted)} since the start`)}
      ${tile('Delivered a second', '#/messages?status=delivered', rates ? rate(rates.delivered) : '…', `${number(stats.delivered)} since the start`)}
      ${tile('Waiting', '#/waiting', number(stats.queued), stats.oldestWaitingAt ? html`the oldest ${since(stats.oldestWaitingAt)}` : stats.counted ? 'none is late' : 'still being counted')}
      ${tile('Sending', '#/messages?status=sending', number(stats.sending), `${number(stats.throttled)} times told to wait`)}
      ${tile('Dead letters', '#/dead-letters', number(stats.deadLetters), this.dead.data ? count(this.dead.data.items.length, 'reason') : '')}
      ${tile('Inbound', '#/conversations', number(inbound.pending + inbound.leased), inbound.failed > 0 ? `to be handled; ${number(inbound.failed)} failed` : 'to be handled')}
    </div>`;
  }

  #nothing() {
    if (this.waiting.data && this.dead.data && this.runs.data) return 'Nothing: every account can send, and no message needs anybody.';
    return this.waiting.problem || this.dead.problem ? 'Nothing else is known.' : 'Looking…';
  }

  #problems(found) {
    const all = this.steady.of(found);
    const shown = this.all ? all : all.slice(0, SHOWN);
    return html`<section class="card"><div class="head"><h2>What is not well</h2><span class="quiet">${all.length ? count(all.length, 'cause') : nothing}</span></div>
      ${[this.waiting, this.dead, this.runs].filter((load) => load.problem && !load.data).map(pending)}${old(this.waiting, this.dead, this.inbound, this.runs)}
      ${all.length === 0 ? html`<p class="empty">${this.#nothing()}</p>`
        : html`<ul class="problems" data-problems>${repeat(shown, (problem) => problem.key, (problem) => html`<li data-row class=${problem.tone}>
          <div><p>${problem.what}${typeof problem.what === 'string' && /[.!?]$/.test(problem.what) ? nothing : '.'}</p>
            <p class="waits">${problem.why ? html`<span>${sentence(problem.why)}</span> ` : nothing}${problem.next ?? nothing}</p></div>
          <div class="line">${problem.action ?? nothing}</div></li>`)}</ul>`}
      ${all.length > SHOWN ? html`<p class="more"><button @click=${() => { this.all = !this.all; }}>${this.all ? 'Show the worst only' : `Show all ${all.length}`}</button></p>` : nothing}
    </section>`;
  }
}

const rate = (perSecond) => (perSecond >= 10 || perSecond === 0 ? number(Math.round(perSecond)) : perSecond.toFixed(1));

customElements.define('page-overview', OverviewPage);
