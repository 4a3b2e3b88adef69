import { View, html, nothing, repeat } from './base/view.js';
import { hasToken, logOut, Offline, onTokenNeeded } from './base/api.js';
import { live } from './base/live.js';
import { Load } from './base/load.js';
import { learnWhoLooks, may, whoLooks } from './base/me.js';
import { go, onPlace, route, to } from './base/route.js';
import { applyTheme } from './base/settings.js';
import { number } from './base/words.js';
import { inTrouble } from './parts/account.js';
import { showKeys } from './parts/help.js';
import { askForToken } from './parts/login.js';
import { pageHasCome } from './parts/missing-page.js';
import { moveByKeyboard } from './parts/rows.js';
import './parts/run-watch.js';
import { at } from './parts/shown.js';
import { tellExactly, turnExactTimes } from './parts/times.js';
import './parts/toast.js'; // here before anything goes wrong

/**
 * Pages by their names in the address; each file defines an element `page-NAME`. `role`: who may see
 * it, 'read' unless another is named; `count`: the figure beside its name.
 */
const PAGES = [
  { name: 'overview', title: 'Overview' },
  { name: 'waiting', title: 'Waiting', count: (stats) => stats.queued },
  { name: 'messages', title: 'Messages' },
  { name: 'dead-letters', title: 'Dead letters', count: (stats) => stats.deadLetters, bad: true },
  { name: 'compose', title: 'Compose', role: 'send' },
  { name: 'conversations', title: 'Conversations', count: (stats) => stats.inbound.failed, bad: true },
  { name: 'reminders', title: 'Reminders' },
  { name: 'accounts', title: 'Accounts', count: (stats) => stats.accounts.filter(inTrouble).length, bad: true },
  { name: 'cluster', title: 'Cluster' },
  { name: 'sandbox', title: 'Sandbox' },
  { name: 'audit', title: 'Audit trail', role: 'admin' },
  { name: 'api', title: 'API' },
];

/** Pages that the menu does not list, with the one it marks. */
const INNER = { run: 'reminders', reminder: 'reminders', settings: null };

/** Pages for those, too, who may send and not read. */
const SEEN_BY_ALL = ['compose', 'api', 'settings'];

/** The frame around every page: where one can go, how the server is, and whether it is there at all. */
class Shell extends View {
  static properties = { place: { state: true }, ready: { state: true }, failed: { state: true } };

  stats = new Load(this, () => (this.ready && may('read') ? '/v1/stats' : null), { every: 3000, on: ['account.', 'store.', 'message.failed', 'message.held', 'message.expired'], pause: 2000 });
  health = new Load(this, () => (this.ready ? '/healthz' : null), { every: 5000, on: ['account.', 'listening.', 'store.'], pause: 2000 });

  #pages = new Map();
  #element = null;
  #version = null;

  constructor() {
    super();
    this.place = route();
    this.ready = false;
    this.failed = null;
  }

  async connectedCallback() {
    super.connectedCallback();
    onPlace((place) => {
      if (this.#isAnother()) this.#loadAnew();
      else this.place = place;
    });
    addEventListener('settings', () => { this.requestUpdate(); this.#element?.requestUpdate(); });
    live.addEventListener('state', () => {
      this.requestUpdate();
      if (live.state === 'live') this.#learnAgain();
    });
    document.addEventListener('keydown', (event) => this.#onKey(event));
    moveByKeyboard(document);
    document.addEventListener('click', ({ target }) => tellExactly(target));
    this.#begin();
  }

  async #begin() {
    try {
      this.#version = (await learnWhoLooks()).version;
      this.failed = null;
      this.ready = true;
      if (may('read')) live.start();
    } catch (problem) {
      this.failed = problem.message;
      setTimeout(() => this.#begin(), 2000);
    }
  }

  /** Whether the server is of another version than this document: then the two may not fit together. */
  #isAnother() {
    return this.#version !== null && whoLooks().version !== this.#version;
  }

  /** Who looks and at which version, after the server was away; it may not be ready yet. */
  #learnAgain() {
    learnWhoLooks().catch(() => setTimeout(() => this.#learnAgain(), 2000));
  }

  #loadAnew() {
    this.querySelector('main').replaceChildren(); // the page that is left has agreed to that
    location.reload();
  }

  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, textarea, select')) return;
    if (document.querySelector('dialog[open]')) return;
    if (event.key === '/') {
      (document.querySelector('main [type=search]') ?? document.querySelector('#search'))?.focus();
      event.preventDefault();
    } else if (event.key === '?') {
      showKeys();
      event.preventDefault();
    } else if (event.key === 't') {
      turnExactTimes();
    }
  }

  updated() {
    if (this.ready) this.#show();
  }

  /** Shows the page of the address; one element a page, kept as long as the page is the same. */
  async #show() {
    const name = this.#name();
    if (!this.#pages.has(name)) this.#pages.set(name, import(`./pages/${name}.js`).then(() => true, () => false));
    const come = await this.#pages.get(name);
    if (!come) this.#pages.delete(name);
    if (this.#name() !== name) return;
    const title = PAGES.find((one) => one.name === name)?.title;
    if (come) this.#put(`page-${name}`, title, { place: this.place, stats: this.stats.data });
    else this.#put('missing-page', title, { name, heading: title ?? name });
    if (come) pageHasCome();
  }

  /** The page to show for the address: not one that is not there, or that the person may not see. */
  #name() {
    const { page } = this.place;
    if (!may('read') && !SEEN_BY_ALL.includes(page)) return 'compose';
    return PAGES.some((one) => one.name === page) || page in INNER ? page : 'overview';
  }

  #put(tag, title, properties) {
    const another = this.#element?.localName !== tag || (tag === 'missing-page' && this.#element.name !== properties.name);
    if (another) this.#element = document.createElement(tag);
    Object.assign(this.#element, properties);
    if (another) {
      this.querySelector('main').replaceChildren(this.#element);
      scrollTo(0, 0);
      this.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
      document.title = title ? `${title} · Postrider` : 'Postrider';
    }
    this.#element.requestUpdate();
  }

  view() {
    const stats = this.stats.data;
    const name = this.#name();
    const marked = name in INNER ? INNER[name] : name;
    const offline = this.failed || (may('read') ? live.state === 'offline' : this.health.problem instanceof Offline);
    return html`
      <a class="skip" href="#main" @click=${(event) => { event.preventDefault(); this.querySelector('main').focus(); }}>To the content</a>
      <header>
        <a class="brand" href="#/overview"><span class="mark" aria-hidden="true"></span>Postrider</a>
        ${this.#state(offline)}
        <form class="find" role="search" ?hidden=${this.ready && !may('read')} @submit=${(event) => this.#find(event)}>
          <input id="search" type="text" placeholder="Find a message" aria-label="Find a message" title="By id, chat, key or text" autocomplete="off" spellcheck="false">
        </form>
        <details class="menu" @click=${(event) => event.target.closest('a, button') && (event.currentTarget.open = false)}>
          <summary aria-label="Menu">☰</summary>
          <div>
            ${whoLooks().name ? html`<p class="quiet">Logged in as ${whoLooks().name} (${whoLooks().roles.join(', ')})</p>` : nothing}
            <a href="#/settings">Time zone and colours</a>
            <button class="plain" @click=${turnExactTimes}>Exact times</button>
            <button class="plain" @click=${() => showKeys()}>Keys</button>
            ${hasToken() ? html`<button class="plain" @click=${logOut}>Log out</button>` : nothing}
          </div>
        </details>
      </header>
      <nav aria-label="Pages">${repeat(PAGES.filter(({ name, role }) => (may('read') || SEEN_BY_ALL.includes(name)) && (!role || may(role))), (page) => page.name, (page) => {
        const amount = stats && page.count ? page.count(stats) : 0;
        return html`<a href=${to(page.name)} aria-current=${page.name === marked ? 'page' : nothing}>${page.title}
          ${amount > 0 ? html`<span class="count ${page.bad ? 'bad' : ''}">${number(amount)}</span>` : nothing}</a>`;
      })}</nav>
      ${offline ? html`<p class="offline" role="alert">The server does not answer${live.heardAt ? html`; figures are from ${at(new Date(live.heardAt).toISOString())}` : nothing}.
        This page goes on by itself as soon as the server is back.</p>` : nothing}
      ${!offline && this.stats.problem ? html`<p class="offline" role="alert">The counts of the menu and of the overview ${stats ? html`are from ${at(this.stats.at)}` : 'are not there'}: ${this.stats.problem.message}</p>` : nothing}
      <main id="main" tabindex="-1" class=${offline ? 'old' : ''}></main>`;
  }

  #state(offline) {
    const health = this.health.data;
    const word = offline ? 'offline' : health === null ? 'connecting' : health.status === 'ok' ? 'live' : health.status;
    const shown = { live: 'good', offline: 'bad', degraded: 'warn' }[word] ?? '';
    return html`<span role="status"><a href="#/overview" id="health" class="badge ${shown}" title=${health?.reasons?.join(' ') || nothing}>${word}</a></span>`;
  }

  /** An id opens its message at once; anything else is looked for on the page of messages. */
  async #find(event) {
    event.preventDefault();
    const input = event.target.querySelector('input');
    const text = input.value.trim();
    if (!text) return;
    input.value = '';
    input.blur();
    if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text)) go('messages', text.toLowerCase());
    else go('messages', null, { find: text });
  }
}

applyTheme();
onTokenNeeded(askForToken);
customElements.define('post-rider', Shell);
