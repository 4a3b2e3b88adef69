import { View, html, live, nothing, repeat } from '../base/view.js';
import { post, query, upload } from '../base/api.js';
import { Outbox, Unanswered } from '../base/draft.js';
import { Kept } from '../base/kept.js';
import { Load } from '../base/load.js';
import { may } from '../base/me.js';
import { to } from '../base/route.js';
import { bytes, count, momentOf, number, zoneName } from '../base/words.js';
import { stateOf } from '../parts/account.js';
import { whereWrong } from '../parts/field-problems.js';
import '../parts/message-page.js';
import { piece } from '../parts/pieces.js';
import { pending } from '../parts/shown.js';

const EMPTY = {
  account: '', to: '', text: '', format: 'markdown', threadId: '', replyToId: '', silent: false, sendAt: '', expiresIn: '', priority: 'live',
  idempotencyKey: '', metadata: '', media: [],
};

/** What is being written; kept while the person looks at another page, and if the document is loaded anew. */
const kept = new Kept('message', EMPTY);
let draft = { ...EMPTY, ...kept.get() };
const outbox = new Outbox();

function write(changes) {
  draft = { ...draft, ...changes };
  kept.set(draft);
}

const UNITS = { utf16: 'UTF-16 units', 'code-points': 'characters', 'utf8-bytes': 'bytes' };

class BadMetadata extends Error {}

/** The metadata lines, NAME=VALUE, as an object. */
function metadata(lines) {
  const entries = lines.split('\n').map((line) => line.trim()).filter(Boolean).map((line) => line.split(/=(.*)/s).slice(0, 2).map((one) => one.trim()));
  const wrong = entries.find(([name, value]) => !name || value === undefined);
  if (wrong) throw new BadMetadata('Each line must be a name, = and a value, such as order=77.');
  return Object.fromEntries(entries);
}

/** The draft as a request: only what is set. */
function asRequest({ sendAt, metadata: lines, media, silent, ...rest }) {
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''));
  return {
    ...given,
    ...(silent ? { silent } : {}),
    ...(sendAt ? { sendAt: momentOf(sendAt) } : {}),
    ...(lines.trim() ? { metadata: metadata(lines) } : {}),
    ...(media.length ? { media: media.map(({ url, kind, filename }) => ({ url, ...(kind ? { kind } : {}), ...(filename ? { filename } : {}) })) } : {}),
  };
}

/** Writes a message, shows it as the platform gets it, sends it, and watches it until it ends. */
class ComposePage extends View {
  accounts = new Load(this, () => (may('read') ? '/v1/accounts' : null), { on: ['account.'], pause: 3000 });

  #parts = null;
  #problem = null;
  #metadataProblem = null;
  #unsure = null;
  #sending = false;
  #uploading = 0;
  #sent = null;
  #asked = 0;
  #timer = null;

  connectedCallback() {
    super.connectedCallback();
    const { account, to, text, replyToId, threadId } = this.place?.filters ?? {};
    const given = Object.entries({ account, to, text, replyToId, threadId }).filter(([, value]) => value);
    if (given.length) write({ ...EMPTY, ...Object.fromEntries(given) });
    this.#preview(0);
  }

  willUpdate() {
    const accounts = this.accounts.data?.items ?? [];
    if (draft.account || accounts.length === 0) return;
    write({ account: (accounts.find((account) => account.health === 'ready') ?? accounts[0]).id });
    this.#preview(0);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#asked += 1;
  }

  #set(changes) {
    write(changes);
    this.#problem = null;
    this.#preview();
    this.requestUpdate();
  }

  /** Asks for the parts when the person pauses; an answer to what was written before is dropped. */
  #preview(wait = 250) {
    clearTimeout(this.#timer);
    const mine = ++this.#asked;
    this.#timer = setTimeout(async () => {
      try {
        this.#metadataProblem = null;
        if (!draft.account || !draft.to || (!draft.text && draft.media.length === 0)) {
          this.#parts = null;
        } else {
          const answer = await post('/v1/messages/preview', asRequest(draft));
          if (mine !== this.#asked) return;
          this.#parts = answer.parts;
          this.#problem = null;
        }
      } catch (problem) {
        if (mine !== this.#asked) return;
        this.#parts = null;
        this.#say(problem);
      }
      this.requestUpdate();
    }, wait);
  }

  /** What went wrong, beside its field; what is no answer of the server's is about the metadata. */
  #say(problem) {
    if (problem instanceof BadMetadata) this.#metadataProblem = problem.message;
    else if (problem instanceof Unanswered) this.#unsure = { said: problem.message, account: draft.account, to: draft.to };
    else this.#problem = problem;
  }

  async #send() {
    this.#sending = true;
    this.requestUpdate();
    try {
      const request = asRequest(draft);
      this.#sent = await outbox.send(request, (idempotencyKey) => post('/v1/messages', { idempotencyKey, ...request }));
      write({ ...EMPTY, account: draft.account, to: draft.to, format: draft.format });
      this.#parts = null;
      this.#problem = null;
      this.#unsure = null;
      this.#asked += 1;
    } catch (problem) {
      this.#say(problem);
    } finally {
      this.#sending = false;
      this.requestUpdate();
    }
    await this.updateComplete;
    if (this.#problem) this.querySelector('[aria-invalid]')?.focus();
    else this.querySelector('#sent')?.scrollIntoView({ block: 'nearest' });
  }

  async #attach(files) {
    this.#uploading += files.length;
    this.requestUpdate();
    for (const file of files) {
      await this.act(async () => {
        const { url, kind, filename, size } = await upload(query('/v1/media', { filename: file.name }), file);
        this.#set({ media: [...draft.media, { url, kind, filename: filename ?? file.name, size }] });
      });
      this.#uploading -= 1;
      this.requestUpdate();
    }
  }

  view() {
    if (!may('send')) return html`<h1>Compose</h1><p class="note">Your token may look, but not send. The role for that is “send”.</p>`;
    const accounts = may('read') ? this.accounts.data?.items : [];
    if (!accounts) return html`<h1>Compose</h1>${pending(this.accounts)}`;
    const wrong = whereWrong(this.#problem, ['account', 'to', 'text', 'format', 'media', 'threadId', 'replyToId', 'sendAt', 'expiresIn', 'priority', 'idempotencyKey', 'metadata']);
    return html`
      <h1>Compose</h1>
      <div class="columns">
        <form class="card" @submit=${(event) => { event.preventDefault(); this.act(() => this.#send()); }}>
          <div class="body form">
            ${may('read') ? this.#choice('account', 'Account', accounts.map((account) => [account.id, `${account.id} (${account.channel}, ${stateOf(account)})`]), wrong) : this.#field('account', 'Account', wrong, { required: true })}
            ${this.#field('to', 'Chat', wrong, { required: true })}
            <label class="wide">Text
              <textarea name="text" rows="7" .value=${live(draft.text)} aria-invalid=${wrong.text ? 'true' : nothing} @input=${(event) => this.#set({ text: event.target.value })}></textarea>${said(wrong.text)}</label>
            ${this.#choice('format', 'Format', [['markdown', 'Markdown'], ['plain', 'plain text'], ['native', "the platform's own markup"]], wrong)}
            <div class="files"><span class="quiet">Files</span><label class="button">Add files <input class="sr-only" type="file" multiple @change=${(event) => { this.#attach([...event.target.files]); event.target.value = ''; }}></label>${said(wrong.media)}</div>
            ${this.#media()}
            <details class="wide" ?open=${['threadId', 'replyToId', 'sendAt', 'expiresIn', 'idempotencyKey', 'metadata'].some((name) => wrong[name])}>
              <summary>Options</summary>${this.#options(wrong)}</details>
            ${this.#unsure ? html`<p class="problem wide" role="alert">${this.#unsure.said} ${may('read') ? html`<a href=${to('messages', null, { account: this.#unsure.account, to: this.#unsure.to })}>See what was accepted for this chat</a>` : nothing}</p>` : nothing}
            ${wrong.rest ? html`<p class="problem wide" role="alert">${wrong.rest}</p>` : nothing}
            <div class="line wide"><button class="primary" ?disabled=${this.#sending || this.#uploading > 0}>${this.#sending ? 'Sending…' : 'Send'}</button>
              <button type="button" class="plain" @click=${() => { this.#unsure = null; this.#set({ ...EMPTY }); }}>Start anew</button></div>
          </div>
        </form>
        ${this.#shown()}
      </div>
      ${this.#sent ? html`<div id="sent" class="stack"><p class="sentence" role="status">It is accepted. ${may('read') ? html`<a href="#/messages/${this.#sent.id}">Open its page</a>` : html`Its id is <code>${this.#sent.id}</code>.`}</p>
        ${may('read') ? html`<one-message inner .messageId=${this.#sent.id}></one-message>` : nothing}</div>` : nothing}`;
  }

  #options(wrong) {
    return html`<div class="form">
      ${this.#field('threadId', 'Thread', wrong)}
      ${this.#field('replyToId', 'In reply to (id on the platform)', wrong)}
      ${this.#field('sendAt', `Not before (in ${zoneName()})`, wrong, { type: 'datetime-local' })}
      ${this.#field('expiresIn', 'Expires after', wrong, { placeholder: '30m' })}
      ${this.#choice('priority', 'Priority', [['live', 'live'], ['bulk', 'bulk, behind what is live']], wrong)}
      ${this.#field('idempotencyKey', 'Key: the same is accepted once', wrong)}
      <label class="wide">Metadata, one NAME=VALUE a line
        <textarea name="metadata" rows="2" .value=${live(draft.metadata)} aria-invalid=${wrong.metadata || this.#metadataProblem ? 'true' : nothing} @input=${(event) => this.#set({ metadata: event.target.value })}></textarea>
        ${said(wrong.metadata ?? this.#metadataProblem)}</label>
      <label class="check"><input type="checkbox" .checked=${live(draft.silent)} @change=${(event) => this.#set({ silent: event.target.checked })}> Silent</label>
    </div>`;
  }

  #field(name, label, wrong, { type = 'text', placeholder = nothing, required = false } = {}) {
    return html`<label>${label}
      <input name=${name} type=${type} placeholder=${placeholder} ?required=${required} autocomplete="off" .value=${live(draft[name])} aria-invalid=${wrong[name] ? 'true' : nothing}
        @input=${(event) => this.#set({ [name]: event.target.value })}>${said(wrong[name])}</label>`;
  }

  #choice(name, label, values, wrong) {
    return html`<label>${label}
      <select name=${name} aria-invalid=${wrong[name] ? 'true' : nothing} @change=${(event) => this.#set({ [name]: event.target.value })}>
        ${values.map(([value, words]) => html`<option value=${value} .selected=${live(value === draft[name])}>${words}</option>`)}
      </select>${said(wrong[name])}</label>`;
  }

  #media() {
    if (draft.media.length === 0 && this.#uploading === 0) return nothing;
    return html`<ul class="bare wide stack tight-stack">
      ${repeat(draft.media, (media) => media, (media) => html`<li class="line"><span>${media.kind}: ${media.filename} <span class="quiet">(${bytes(media.size)})</span></span>
        <button type="button" @click=${() => this.#set({ media: draft.media.filter((other) => other !== media) })}>Remove</button></li>`)}
      ${this.#uploading > 0 ? html`<li class="quiet" role="status">Uploading ${count(this.#uploading, 'file')}…</li>` : nothing}</ul>`;
  }

  #shown() {
    const parts = this.#parts;
    return html`<section class="card"><div class="head"><h2>As the platform gets it</h2><span class="quiet">${parts ? count(parts.length, 'part') : nothing}</span></div>
      <div class="body stack">${parts === null ? html`<p class="quiet">${this.#problem ? 'Not as it is now: see what is wrong.' : 'Give an account, a chat, and a text or a file.'}</p>`
        : parts.map((part, i) => html`<div class="stack tight-stack">
          <div class="line"><h3>Part ${part.index + 1}</h3>${part.limit ? html`<span class="quiet">${number(part.size)} of ${number(part.limit)} ${UNITS[part.unit] ?? part.unit}</span>
            <meter min="0" max=${part.limit} value=${part.size} aria-label=${`Length of piece ${i + 1}`}></meter>` : nothing}</div>
          ${piece(part)}
        </div>`)}</div></section>`;
  }
}

const said = (problem) => (problem ? html`<span class="field-problem" role="alert">${problem}</span>` : nothing);

customElements.define('page-compose', ComposePage);
