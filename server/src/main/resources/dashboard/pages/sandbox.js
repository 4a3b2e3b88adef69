import { View, html, live, nothing, repeat } from '../base/view.js';
import { path, post, query } from '../base/api.js';
import { Load } from '../base/load.js';
import { may } from '../base/me.js';
import { refine, to } from '../base/route.js';
import { count } from '../base/words.js';
import { at, old, pending } from '../parts/shown.js';
import { toast } from '../parts/toast.js';

/** What makes the simulated platform fail, and what then happens. */
const FAULTS = [
  ['#fail', 'The message is refused; it becomes a dead letter.'],
  ['#flaky', 'It is not sent once; the next attempt delivers it.'],
  ['#unknown', 'It arrives, but at first nobody can tell.'],
  ['#throttle', 'The chat must wait 3 seconds, once.'],
  ['#broken', 'The account is refused until its next probe, once.'],
  ['#slow', 'It takes 2 seconds.'],
  ['#bounce', 'It is taken, and reported as failed 2 seconds later.'],
  ['#read', 'It is taken, then reported as sent, delivered and read.'],
  ['#markup', 'In the platform\'s own markup: that is refused, its plain form passes.'],
];
const CHATS = [['blocked', 'Everything to this chat is refused; the chat is to blame.'], ['moved', 'The chat has moved to moved-here; what is sent follows.']];

/** The built-in platform: what has arrived on it, and writing on it as somebody. */
class SandboxPage extends View {
  static properties = { draft: { state: true }, writing: { state: true } };

  inbox = new Load(this, () => (this.#account() ? query(path`/v1/sandbox/${this.#account()}/inbox`, { chat: this.place.filters.chat, limit: 200 }) : null),
    { on: ['message.delivered', 'message.part-delivered', 'run.'], keep: true });

  constructor() {
    super();
    this.draft = { chat: '', sender: '', name: '', text: '' };
  }

  #accounts() {
    return (this.stats?.accounts ?? []).filter((account) => account.channel === 'sandbox').map((account) => account.id);
  }

  #account() {
    const named = this.place?.filters.account;
    const accounts = this.#accounts();
    return [named, 'sandbox'].find((id) => accounts.includes(id)) ?? accounts[0];
  }

  view() {
    const account = this.#account();
    if (!this.stats) return html`<h1>Sandbox</h1>${pending(this.inbox)}`;
    if (!account) return html`<h1>Sandbox</h1><p class="empty">No account is on the built-in sandbox channel. Add one to the configuration: <code>{ id: sandbox, channel: sandbox }</code></p>`;
    return html`
      <div class="title"><h1>Sandbox</h1><span class="filters"><select aria-label="Account" @change=${(event) => refine({ account: event.target.value, chat: null })}>
        ${this.#accounts().map((id) => html`<option value=${id} ?selected=${id === account}>${id}</option>`)}</select></span></div>
      <p>A simulated platform inside the server, to try things out. What is sent to its accounts arrives here and nowhere else; it is empty again after a restart.</p>
      <div class="columns wide-left">${this.#inbox(account)}<div class="stack">${may('send') ? this.#write(account) : nothing}${this.#faults(account)}</div></div>`;
  }

  #inbox(account) {
    const { chat } = this.place.filters;
    const items = this.inbox.data?.items;
    const chats = [...new Set([...(items ?? []).map((part) => part.chat), ...(chat ? [chat] : [])])].sort();
    return html`<section class="card"><div class="head"><h2>${chat ? `What ${chat} has got` : 'What has arrived'}</h2>
        <span class="filters"><select aria-label="Chat" @change=${(event) => refine({ chat: event.target.value })}><option value="" ?selected=${!chat}>Any chat</option>
          ${chats.map((one) => html`<option value=${one} ?selected=${one === chat}>${one}</option>`)}</select></span></div>
      <div class="body stack">${old(this.inbox)}
      ${!items ? pending(this.inbox) : items.length === 0 ? html`<p class="empty">Nothing yet. Send to ${account} on the <a href=${to('compose', null, { account })}>Compose page</a>.</p>`
    : html`<div class="chat arrived" data-rows tabindex="0" aria-label="Messages">${repeat(items, (part) => part.platformId, (part) => this.#part(part))}</div>
        <p class="quiet">The newest ${count(items.length, 'message')}.</p>`}</div></section>`;
  }

  #part(part) {
    return html`<article class="bubble" data-row>
      <div class="about"><button class="plain chat-name" @click=${() => refine({ chat: part.chat })}>${part.chat}</button>${at(part.at)}${part.threadId ? html`<span>thread ${part.threadId}</span>` : nothing}${part.silent ? html`<span>without a sound</span>` : nothing}</div>
      ${part.replyToId ? html`<div class="quiet">answers ${part.replyToId}</div>` : nothing}
      ${part.text ? html`<div class="said">${part.text}</div>` : nothing}
      ${(part.media ?? []).map((file) => html`<div class="quiet">${file.kind ?? 'file'}: ${file.filename ?? file.url}</div>`)}
      <div class="about"><span>${part.platformId}</span><a href=${to('messages', null, { receipt: part.platformId })}>its message</a></div></article>`;
  }

  #write(account) {
    const field = (name, label, more = {}) => html`<label>${label} <input name=${name} autocomplete="off" ?required=${more.required} placeholder=${more.placeholder ?? nothing} .value=${live(this.draft[name])}
      @input=${(event) => { this.draft = { ...this.draft, [name]: event.target.value }; }}></label>`;
    return html`<section class="card"><div class="head"><h2>Write as somebody</h2></div><div class="body">
      <form class="stack" @submit=${(event) => { event.preventDefault(); this.act(() => this.#send(account)); }}>
        <div class="form">${field('chat', 'Chat', { required: true, placeholder: 'ann' })}${field('sender', 'Who, if it is a group', { placeholder: 'the chat itself' })}${field('name', 'Their name')}</div>
        <label>Text <textarea rows="3" required .value=${live(this.draft.text)} @input=${(event) => { this.draft = { ...this.draft, text: event.target.value }; }}></textarea></label>
        <div class="line"><button class="primary" ?disabled=${this.writing}>Write</button><span class="quiet">It comes in as from any platform, and waits for your program.</span></div>
      </form></div></section>`;
  }

  async #send(account) {
    const { chat, text, ...others } = this.draft;
    this.writing = true;
    try {
      const filled = Object.entries(others).filter(([, value]) => value.trim());
      await post(path`/v1/sandbox/${account}/messages`, { chat: chat.trim(), text, ...Object.fromEntries(filled) });
      this.draft = { ...this.draft, text: '' };
      toast('It has come in.', { action: { label: 'Show conversations', do: () => { location.hash = to('conversations', null, { account }); } } });
    } finally {
      this.writing = false;
    }
  }

  #faults(account) {
    const link = (filters) => to('compose', null, { account, ...filters });
    return html`<section class="card"><div class="head"><h2>Making it fail</h2></div><div class="body stack">
      <p class="quiet">A word in the text of a message decides what becomes of it.</p>
      <dl class="facts faults">${FAULTS.map(([word, what]) => html`<div><dt><a href=${link({ text: word })}><code>${word}</code></a></dt><dd>${what}</dd></div>`)}</dl>
      <p class="quiet">So do these chats:</p>
      <dl class="facts faults">${CHATS.map(([chat, what]) => html`<div><dt><a href=${link({ to: chat })}><code>${chat}</code></a></dt><dd>${what}</dd></div>`)}</dl></div></section>`;
  }
}

customElements.define('page-sandbox', SandboxPage);
