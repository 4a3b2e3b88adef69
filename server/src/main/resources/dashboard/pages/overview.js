import { View, html, nothing, repeat } from '../base/view.js';
import { Steady } from '../base/held.js';
import { Load } from '../base/load.js';
import { to } from '../base/route.js';
import { count, number } from '../base/words.js';
import { accountTable } from '../parts/account-table.js';
import '../parts/history.js';
import { problems } from '../parts/problems.js';
import { at, old, pending, since } from '../parts/shown.js';

/** Rates are over so long, in milliseconds; shorter would jump. */
const OVER = 15_000;
const DOWN = ['broken', 'unreachable'];

/** How it is: in one sentence, in figures, over time, by account, and what is not well. */
class OverviewPage extends View {
  health = new Load(this, () => '/healthz', { every: 10_000, on: ['account.', 'listening.', 'store.'], pause: 2000 });
  waiting = new Load(this, () => '/v1/waiting', { every: 10_000, on: ['account.', 'lane.', 'message.retrying'], pause: 3000 });
  dead = new Load(this, () => '/v1/dead-letters/groups', { every: 20_000, on: ['message.failed', 'message.held', 'message.expired'], pause: 3000 });
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
    return { accepted: rate('accepted'), delivered: rate('delivered'), errors: rate('retried') + rate('failed') };
  }

  view() {
    const { stats } = this;
    if (!stats) return html`<h1>Overview</h1>${pending(this.health)}`;
    const rates = this.#rates();
    const found = problems({ stats, health: this.health.data, waiting: this.waiting.data, dead: this.dead.data }, this);
    return html`
      <h1>Overview</h1>
      ${this.#sentence(stats, rates)}
      ${old(this.health)}
      ${this.#tiles(stats, rates)}
      ${this.#problems(found)}
      <section class="card"><div class="head"><h2>Accounts</h2></div>${stats.accounts.length ? accountTable(stats.accounts, this) : html`<p class="empty">No account is configured.</p>`}</section>
      <past-charts class="half" .place=${this.place} .stats=${stats} .rates=${rates}></past-charts>`;
  }

  /** One sentence; each clause leads to the list behind it. */
  #sentence(stats, rates) {
    const { accounts } = stats;
    const down = accounts.filter((account) => DOWN.includes(account.health));
    const loggedOut = accounts.filter((account) => account.needsLogin && !down.includes(account));
    const paused = accounts.filter((account) => account.health === 'paused');
    const deaf = accounts.filter((account) => account.listening.status === 'failing');
    const list = (some, one, many) => (some.length ? [html`<a href=${some.length === 1 ? to('accounts', some[0].id) : to('accounts')}>${some.length === 1 ? html`account ${some[0].id} ${one}` : `${some.length} accounts ${many}`}</a>`] : []);
    const bad = [
      ...(stats.storeDownBecause ? [html`<a href="#/cluster">the store takes no writes</a>`] : []),
      ...list(down, ...cannot(down)),
      ...list(loggedOut, 'is not logged in', 'are not logged in'),
      ...list(deaf, 'hears nothing', 'hear nothing'),
    ];
    const clauses = [
      ...bad,
      ...list(paused, 'is paused', 'are paused'),
      stats.queued > 0 ? html`<a href="#/waiting">${count(stats.queued, 'message waits', 'messages wait')}</a>${stats.oldestWaitingAt ? html`, the oldest since ${at(stats.oldestWaitingAt)}` : nothing}` : html`<a href="#/waiting">nothing waits</a>`,
      ...(stats.deadLetters > 0 ? [html`<a href="#/dead-letters">${count(stats.deadLetters, 'message')} ended undelivered</a>`] : []),
      ...(bad.length === 0 && rates ? [html`<a href="#/messages?status=delivered">${rate(rates.delivered)} delivered a second</a>`] : []),
    ];
    const degraded = bad.length > 0 || this.health.data?.status === 'degraded';
    const verdict = () => {
      if (degraded) return html`<strong class="tone bad">Not all is well: </strong>`;
      if (paused.length > 0) return html`<strong class="tone warn">Somebody is needed: </strong>`;
      return this.health.data && stats.deadLetters === 0 ? html`<strong class="tone good">All is well: </strong>` : nothing;
    };
    return html`<p class="sentence state"><span role="status">${verdict()}</span>${clauses.map((clause, i) => html`${i > 0 ? '; ' : nothing}${clause}`)}.</p>`;
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
    if (this.waiting.data && this.dead.data) return 'Nothing: every account can send, and no message needs anybody.';
    return this.waiting.problem || this.dead.problem ? 'Nothing else is known.' : 'Looking…';
  }

  #problems(found) {
    const shown = this.steady.of(found);
    return html`<section class="card half"><div class="head"><h2>What is not well</h2><span class="quiet">${shown.length ? count(shown.length, 'cause') : nothing}</span></div>
      ${[this.waiting, this.dead].filter((load) => load.problem && !load.data).map(pending)}${old(this.waiting, this.dead)}
      ${shown.length === 0 ? html`<p class="empty">${this.#nothing()}</p>`
        : html`<ul class="problems" data-problems>${repeat(shown, (problem) => problem.key, (problem) => html`<li data-row class=${problem.tone}>
          <div><p>${problem.what}${typeof problem.what === 'string' && /[.!?]$/.test(problem.what) ? nothing : '.'}</p>${problem.why ? html`<p class="waits">${problem.why}</p>` : nothing}${problem.next ? html`<p class="waits">${problem.next}</p>` : nothing}</div>
          <div class="line">${problem.action ?? nothing}</div></li>`)}</ul>`}
    </section>`;
  }
}

/** What accounts that send nothing cannot do, for one and for several. */
function cannot(down) {
  const [health] = down.map((account) => account.health);
  if (down.some((account) => account.health !== health)) return ['cannot be used', 'cannot be used'];
  return health === 'unreachable' ? ['cannot be reached', 'cannot be reached'] : ['is refused by its platform', 'are refused by their platforms'];
}

const rate = (perSecond) => (perSecond >= 10 || perSecond === 0 ? number(Math.round(perSecond)) : perSecond.toFixed(1));

customElements.define('page-overview', OverviewPage);
