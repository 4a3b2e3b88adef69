import { View, html, live, nothing, repeat } from '../base/view.js';
import { path, post } from '../base/api.js';
import { List } from '../base/list.js';
import { Load } from '../base/load.js';
import { may } from '../base/me.js';
import { refine, to } from '../base/route.js';
import { count, number } from '../base/words.js';
import { abilities, advice, byTrouble, healthOf, inTrouble, listeningOf, paceInUse, paceInWords, STATES, stateOf, yamlFor } from '../parts/account.js';
import { check, resume } from '../parts/account-actions.js';
import { copyable } from '../parts/copy.js';
import { dialog } from '../parts/dialog.js';
import { logIn } from '../parts/pairing.js';
import { at, badge, fact, old, pending, since } from '../parts/shown.js';
import { toast } from '../parts/toast.js';

/** What the list can be narrowed to, by name. */
const FILTERS = {
  'needs a look': inTrouble,
  ...Object.fromEntries(STATES.map((state) => [state, (account) => stateOf(account) === state])),
  'hears nothing': (account) => account.listening.status === 'failing',
};

/** Every account: whether it can do its work, and if not, why and what to do. */
class AccountsPage extends View {
  static properties = { checking: { state: true }, chosen: { state: true } };

  accounts = new List(this, () => '/v1/accounts', { on: ['account.', 'listening.'], every: 5000, order: byTrouble });
  channels = new Load(this, () => '/v1/channels', { every: 60_000 });

  constructor() {
    super();
    this.checking = null;
    this.chosen = null;
  }

  view() {
    return this.place.id ? this.#one(this.place.id) : this.#all();
  }

  #all() {
    const { items } = this.accounts;
    return html`
      <div class="title"><h1>Accounts</h1></div>
      ${items === null ? pending(this.accounts) : html`
        ${old(this.accounts)}
        ${this.#summary(items)}
        ${this.#filters()}
        ${this.#table(items.filter((account) => this.#fits(account)))}`}
      ${this.#configuring()}`;
  }

  #summary(accounts) {
    const troubled = accounts.filter(inTrouble);
    if (accounts.length === 0) return html`<p class="sentence">No account is configured, so nothing can be sent.</p>`;
    if (troubled.length === 0) return html`<p class="sentence">${accounts.length === 1 ? 'The account is ready.' : `All ${number(accounts.length)} accounts are ready.`}</p>`;
    const waiting = troubled.reduce((sum, account) => sum + account.queued, 0);
    return html`<p class="sentence"><a href=${to('accounts', null, { health: 'needs a look' })}>${number(troubled.length)} of ${count(accounts.length, 'account')}</a> ${troubled.length === 1 ? 'needs' : 'need'} a look;
      ${waiting === 0 ? 'no message waits for them' : `${count(waiting, 'message waits', 'messages wait')} for ${troubled.length === 1 ? 'it' : 'them'}`}.</p>`;
  }

  #filters() {
    const { text = '', health = '' } = this.place.filters;
    return html`<div class="filters">
      <input type="search" placeholder="Find an account or a channel" aria-label="Find an account or a channel" .value=${live(text)} @input=${(event) => refine({ text: event.target.value })}>
      <select aria-label="State" @change=${(event) => refine({ health: event.target.value })}>
        <option value="" ?selected=${health === ''}>any state</option>
        ${Object.keys(FILTERS).map((one) => html`<option ?selected=${health === one}>${one}</option>`)}
      </select></div>`;
  }

  #fits(account) {
    const { text = '', health = '' } = this.place.filters;
    const wanted = text.trim().toLowerCase();
    return (FILTERS[health]?.(account) ?? true)
      && (account.id.toLowerCase().includes(wanted) || account.channel.includes(wanted));
  }

  #table(accounts) {
    if (accounts.length === 0) return html`<p class="card empty">No account is like that.</p>`;
    return html`<section class="card"><div class="scroll"><table class="cards">
      <thead><tr><th>Account</th><th>State</th><th>Hears</th><th class="num">Waiting</th><th class="num">Sending</th><th class="num">Dead letters</th><th>Oldest</th><th><span class="unseen">Actions</span></th></tr></thead>
      <tbody data-rows>${repeat(accounts, (account) => account.id, (account) => this.#row(account))}</tbody>
    </table></div></section>`;
  }

  #row(account) {
    const { id, channel, queued, sending, deadLetters, oldestWaitingAt } = account;
    return html`<tr data-row>
      <td class="name" data-name="Account"><div><a class="whole" href=${to('accounts', id)}>${id}</a><div class="quiet">${channel}</div></div></td>
      <td class="main" data-name="State"><div>${healthOf(account)}</div></td>
      <td data-name="Hears"><div>${listeningOf(account)}</div></td>
      <td class="num" data-name="Waiting">${figure(queued, to('messages', null, { account: id, status: 'queued' }))}</td>
      <td class="num" data-name="Sending">${figure(sending, to('messages', null, { account: id, status: 'sending' }))}</td>
      <td class="num" data-name="Dead letters">${figure(deadLetters, to('dead-letters', null, { account: id }))}</td>
      <td class="when" data-name="Oldest">${oldestWaitingAt ? since(oldestWaitingAt) : html`<span class="quiet">none</span>`}</td>
      <td class="tools">${this.#actions(account)}</td>
    </tr>`;
  }

  #actions(account) {
    if (!may('admin')) return nothing;
    return html`<span class="line">
      ${account.needsLogin || (account.takesLogin && account.health !== 'ready') ? html`<button class="primary" @click=${() => this.#logIn(account)}>Log in</button>` : nothing}
      <button ?disabled=${this.checking === account.id} @click=${() => this.act(() => this.#check(account))}>${this.checking === account.id ? 'Checking…' : 'Check'}</button>
      ${account.health === 'paused'
    ? html`<button @click=${() => this.act(() => this.#resume(account))}>Resume</button>`
    : html`<button @click=${() => this.act(() => this.#pause(account))}>Pause</button>`}</span>`;
  }

  async #check(account) {
    this.checking = account.id;
    try {
      await check(account);
    } finally {
      this.checking = null;
    }
    await this.accounts.reload();
  }

  async #pause({ id, queued }) {
    const reason = await dialog(({ close }) => html`
      <form @submit=${(event) => { event.preventDefault(); close(event.target.elements.reason.value.trim()); }}>
        <h2>Pause ${id}?</h2>
        <div class="prose"><p>Nothing is sent on it until somebody resumes it; ${queued === 0 ? 'new messages are' : `${count(queued, 'waiting message')} and new ones are`} kept in order.
          What is being sent now goes out.</p></div>
        <label>Reason, for whoever wonders <input name="reason" maxlength="500" autocomplete="off" autofocus></label>
        <menu><button type="button" @click=${() => close()}>Cancel</button><button class="primary">Pause ${id}</button></menu>
      </form>`, { label: `Pause ${id}` });
    if (reason === null) return;
    await post(path`/v1/accounts/${id}/pause`, reason ? { reason } : {});
    await this.accounts.reload();
    toast(`${id} is paused.`);
  }

  async #resume(account) {
    await resume(account);
    await this.accounts.reload();
  }

  async #logIn({ id }) {
    await logIn(id);
    await this.act(() => this.accounts.reload());
  }

  #one(id) {
    if (this.accounts.items === null) return html`<h1>${id}</h1>${pending(this.accounts)}`;
    const account = this.accounts.items.find((one) => one.id === id);
    if (!account) return html`<h1>${id}</h1><p class="sentence">No account has this name. <a href="#/accounts">All accounts</a></p>`;
    const channel = this.channels.data?.items.find((one) => one.name === account.channel);
    const texts = advice(account);
    return html`
      <p><a href="#/accounts">All accounts</a></p>
      <div class="title"><h1>${id}</h1>${badge(stateOf(account))}${this.#actions(account)}</div>
      ${old(this.accounts)}
      <section class="card"><div class="head"><h2>${texts.length === 0 ? 'It does its work' : 'What is wrong, and what to do'}</h2></div>
        <div class="body prose">${texts.length === 0 ? html`<p>Nothing is wrong with it${account.since ? html` since ${at(account.since)}` : nothing}.</p>` : texts.map((text) => html`<p>${text}</p>`)}</div></section>
      <div class="columns">
        <section class="card"><div class="head"><h2>Now</h2></div><div class="body">${this.#facts(account)}</div></section>
        <section class="card"><div class="head"><h2>What ${account.channel} can do</h2></div><div class="body">${channel ? abilities(channel) : pending(this.channels)}</div></section>
      </div>`;
  }

  #facts(account) {
    const { id, node, queued, sending, deadLetters, pace } = account;
    return html`<dl class="facts">
      ${fact('State', html`${badge(stateOf(account))}${account.since ? html` since ${at(account.since)}` : nothing}`)}
      ${fact('Next probe', account.nextProbeAt ? at(account.nextProbeAt) : null)}
      ${fact('Hears', listeningOf(account))}
      ${fact('Waiting', figure(queued, to('messages', null, { account: id, status: 'queued' })))}
      ${fact('Sending', figure(sending, to('messages', null, { account: id, status: 'sending' })))}
      ${fact('Dead letters', figure(deadLetters, to('dead-letters', null, { account: id })))}
      ${fact('Oldest waiting', account.oldestWaitingAt ? html`${since(account.oldestWaitingAt)}` : 'none')}
      ${fact('Pace', paceInWords(pace))}
      ${fact('Pace in use', node ? paceInUse(account) : null)}
      ${fact('Node', node ? html`<a href="#/cluster">${node}</a>` : 'no node works it now')}
      ${fact('Chats', html`<a href=${to('waiting', null, { account: id })}>lanes that wait or are paused</a>`)}
    </dl>`;
  }

  /** Accounts stand in the configuration; here are the lines to begin with. */
  #configuring() {
    const channels = this.channels.data?.items ?? [];
    const channel = channels.find((one) => one.name === this.chosen) ?? channels.find((one) => one.name === 'telegram') ?? channels[0];
    if (!channel) return nothing;
    return html`<section class="card"><div class="head"><h2>Add or change an account</h2></div><div class="body stack">
      <p>Accounts stand in the configuration file (<code>postrider.yaml</code>), which the server reads when it starts. Choose a channel, copy the lines, fill them in and restart.
        Secrets belong in the environment or in files: <code>\${NAME}</code> and <code>\${file:/path}</code> are resolved. <code>postrider doctor</code> checks the file first.</p>
      <label>Channel <select @change=${(event) => { this.chosen = event.target.value; }}>
        ${channels.map((one) => html`<option ?selected=${one === channel}>${one.name}</option>`)}</select></label>
      ${copyable(yamlFor(channel), `the lines for ${channel.name}`)}
      <details><summary>What ${channel.name} can do</summary>${abilities(channel)}</details>
    </div></section>`;
  }
}

/** A figure with the way to the list behind it. */
const figure = (amount, address) => (amount > 0 ? html`<a href=${address}>${number(amount)}</a>` : html`<span class="quiet">0</span>`);

customElements.define('page-accounts', AccountsPage);
