import { View, html, live, nothing } from '../base/view.js';
import { get, path, post, query, upload } from '../base/api.js';
import { count } from '../base/words.js';
import { stateOf } from './account.js';
import { dialog } from './dialog.js';
import { whereWrong } from './field-problems.js';
import { piece } from './pieces.js';
import { toast } from './toast.js';

const FIELDS = [
  { name: 'to', label: 'Chat', required: true },
  { name: 'text', label: 'Text', long: true },
  { name: 'threadId', label: 'Thread' },
  { name: 'replyToId', label: 'In reply to (id on the platform)' },
  { name: 'expiresIn', label: 'Expires after, such as 30m' },
];
const FORMATS = ['markdown', 'plain', 'native'];
const PAUSE = 300;

/** Lets a person change a dead letter, see what the platform would get, and send it again. */
class ReplayForm extends View {
  static properties = { message: { attribute: false }, accounts: { attribute: false }, draft: { state: true }, parts: { state: true }, problem: { state: true }, uploading: { state: true } };

  #asked = 0;
  #timer = null;

  willUpdate() {
    if (this.draft) return;
    const { message } = this;
    this.draft = { ...Object.fromEntries(FIELDS.map(({ name }) => [name, message[name] ?? ''])), account: message.account, format: message.format ?? 'markdown', silent: message.silent ?? false, media: message.media ?? [] };
    this.#preview(0);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#asked += 1;
  }

  #set(changes) {
    this.draft = { ...this.draft, ...changes };
    this.#preview(PAUSE);
  }

  /** What the person has changed; an emptied field means none. */
  #changes() {
    const { message, draft } = this;
    const changed = {};
    for (const { name } of FIELDS) {
      if (draft[name] !== (message[name] ?? '')) changed[name] = draft[name] === '' ? null : draft[name];
    }
    if (draft.account !== message.account) changed.account = draft.account;
    if (draft.format !== (message.format ?? 'markdown')) changed.format = draft.format;
    if (draft.silent !== (message.silent ?? false)) changed.silent = draft.silent;
    if (draft.media !== message.media && (draft.media.length || message.media?.length)) changed.media = draft.media;
    return changed;
  }

  #preview(wait) {
    clearTimeout(this.#timer);
    const mine = ++this.#asked;
    this.#timer = setTimeout(async () => {
      const { account, to, text, format, media, threadId, replyToId } = this.draft;
      const { channelData } = this.message;
      const body = { account, to, format, ...(text ? { text } : {}), ...(media.length ? { media } : {}), ...(threadId ? { threadId } : {}), ...(replyToId ? { replyToId } : {}), ...(channelData ? { channelData } : {}) };
      try {
        const { parts } = await post('/v1/messages/preview', body);
        if (mine === this.#asked) [this.parts, this.problem] = [parts, null];
      } catch (problem) {
        if (mine === this.#asked) [this.parts, this.problem] = [null, problem];
      }
    }, wait);
  }

  async #replay() {
    const replayed = await post(path`/v1/dead-letters/${this.message.id}/replay`, this.#changes()).catch((problem) => { this.problem = problem; });
    if (!replayed) return;
    toast('It is sent again, as a new message.');
    this.dispatchEvent(new CustomEvent('replayed', { detail: replayed }));
  }

  async #attach(input) {
    const files = [...input.files];
    input.value = '';
    this.uploading = true;
    try {
      for (const file of files) {
        const { url, kind, filename } = await upload(query('/v1/media', { filename: file.name }), file);
        this.#set({ media: [...this.draft.media, { url, kind, filename: filename ?? file.name }] });
      }
    } finally {
      this.uploading = false;
    }
  }

  view() {
    const { message, draft } = this;
    const wrong = whereWrong(this.problem, [...FIELDS.map(({ name }) => name), 'account', 'format', 'media']);
    const arrived = message.parts?.filter((part) => ['delivered', 'accepted'].includes(part.status)).length ?? 0;
    const said = (name) => (wrong[name] ? html`<span class="field-problem" role="alert">${wrong[name]}</span>` : nothing);
    return html`<form class="stack" @submit=${(event) => { event.preventDefault(); this.once('replay', () => this.#replay()); }}>
      <h2>Edit and replay</h2>
      <p class="problem">${message.error ?? message.reason}</p>
      ${arrived > 0 ? html`<p class="note">${count(arrived, 'part')} of it ${arrived === 1 ? 'has' : 'have'} arrived. With a change all of it is sent again.</p>` : nothing}
      <div class="columns"><div class="stack">
        <div class="form">
          <label>Account <select name="account" @change=${(event) => this.#set({ account: event.target.value })}>
            ${this.accounts.map((account) => html`<option value=${account.id} .selected=${live(account.id === draft.account)}>${account.id} (${account.channel}, ${stateOf(account)})</option>`)}</select>${said('account')}</label>
          <label>Format <select name="format" @change=${(event) => this.#set({ format: event.target.value })}>${FORMATS.map((one) => html`<option .selected=${live(one === draft.format)}>${one}</option>`)}</select></label>
          ${FIELDS.map(({ name, label, long, required }) => html`<label class=${long ? 'wide' : ''}>${label}
            ${long ? html`<textarea name=${name} rows="5" aria-invalid=${wrong[name] ? 'true' : nothing} .value=${live(draft[name])} @input=${(event) => this.#set({ [name]: event.target.value })}></textarea>`
    : html`<input name=${name} ?required=${required} autocomplete="off" aria-invalid=${wrong[name] ? 'true' : nothing} .value=${live(draft[name])} @input=${(event) => this.#set({ [name]: event.target.value })}>`}
            ${said(name)}</label>`)}
          <label class="check"><input type="checkbox" name="silent" .checked=${live(draft.silent)} @change=${(event) => this.#set({ silent: event.target.checked })}> Silent</label>
        </div>
        ${draft.media.length ? html`<ul class="plain-list">${draft.media.map((file, i) => html`<li class="line"><span>${file.kind ?? 'file'}: ${file.filename ?? file.url}</span>
          <button type="button" aria-label="Remove ${file.filename ?? file.url}" @click=${() => this.#set({ media: draft.media.toSpliced(i, 1) })}>Remove</button></li>`)}</ul>` : nothing}
        <div><label class="button">${this.uploading ? 'Uploading…' : 'Add files'} <input class="sr-only" type="file" multiple ?disabled=${this.uploading} @change=${(event) => this.act(() => this.#attach(event.target))}></label>${said('media')}</div>
      </div>
      <section class="stack tight-stack" aria-label="As the platform gets it"><h3>As the platform gets it</h3>
        ${this.parts ? this.parts.map(piece) : html`<p class="quiet">${this.problem ? 'Not as it is now.' : 'Looking…'}</p>`}</section></div>
      ${wrong.rest ? html`<p class="problem" role="alert">${wrong.rest}</p>` : nothing}
      <menu><button type="button" @click=${() => this.dispatchEvent(new CustomEvent('replayed', { detail: null }))}>Do nothing</button>
        <button class="primary" ?disabled=${this.isBusy('replay') || this.uploading}>Replay 1 message</button></menu>
    </form>`;
  }
}

customElements.define('replay-form', ReplayForm);

/** Resolves with the new message, or null. */
export async function editAndReplay(message) {
  const { items } = await get('/v1/accounts');
  return dialog(({ close }) => html`<replay-form .message=${message} .accounts=${items} @replayed=${(event) => close(event.detail)}></replay-form>`, { label: 'Edit and replay', wide: true });
}
