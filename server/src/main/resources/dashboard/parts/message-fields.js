import { View, html, live, nothing } from '../base/view.js';
import { post, upload } from '../base/api.js';
import { may } from '../base/me.js';
import { count, number } from '../base/words.js';
import { fill } from './reminder-draft.js';

/** One message of a reminder: text, files, and how it will look. Tells `message` with the changed one, and `remove`. */
class MessageFields extends View {
  static properties = { message: { attribute: false }, index: {}, accounts: { attribute: false }, target: { attribute: false }, removable: {}, uploading: { state: true }, address: { state: true } };

  view() {
    const { message, index } = this;
    return html`<fieldset class="message"><legend>Message ${index + 1}</legend>
      <div class="columns"><div class="stack">
        <label>Text; {{name}} and other columns of the targets are filled in
          <textarea rows="6" .value=${live(message.text ?? '')} @input=${(event) => this.#change({ text: event.target.value })}></textarea></label>
        <div class="form">
          <label>Written as <select @change=${(event) => this.#change({ format: event.target.value })}>
            ${[['markdown', 'Markdown'], ['plain', 'plain text'], ['native', 'the platform\'s own markup']].map(([value, text]) => html`<option value=${value} ?selected=${value === (message.format ?? 'markdown')}>${text}</option>`)}</select></label>
          <label>Thread, if any <input type="text" .value=${live(message.threadId ?? '')} @input=${(event) => this.#change({ threadId: event.target.value || undefined })}></label>
          <label class="check"><input type="checkbox" .checked=${live(message.silent ?? false)} @change=${(event) => this.#change({ silent: event.target.checked || undefined })}> Without a sound</label>
        </div>
        ${this.#files()}
        ${message.channelData && Object.keys(message.channelData).length > 0 ? html`<p class="quiet">It has channel data, set through the API; that stays as it is.</p>` : nothing}
      </div>
      ${may('send') ? html`<message-preview .message=${message} .accounts=${this.accounts} .target=${this.target}></message-preview>` : nothing}</div>
      ${this.removable ? html`<button type="button" class="danger" @click=${() => this.dispatchEvent(new Event('remove'))}>Remove message ${index + 1}</button>` : nothing}
    </fieldset>`;
  }

  #files() {
    const media = this.message.media ?? [];
    return html`
      ${media.length > 0 ? html`<ul class="plain-list">${media.map((file, i) => html`<li class="line"><span>${file.filename ?? file.url ?? file.id}${file.kind ? ` (${file.kind})` : ''}</span>
        <button type="button" aria-label="Remove ${file.filename ?? file.url ?? file.id}" @click=${() => this.#change({ media: media.filter((_, other) => other !== i) })}>Remove</button></li>`)}</ul>` : nothing}
      <div class="line"><label class="button">${this.uploading ? 'Uploading…' : 'Add files'} <input class="sr-only" type="file" multiple ?disabled=${this.uploading} @change=${(event) => this.act(() => this.#upload(event.target))}></label>
        <input type="url" class="address" aria-label="Address of a file" placeholder="or the address of a file" .value=${live(this.address ?? '')} @input=${(event) => { this.address = event.target.value; }}>
        <button type="button" ?disabled=${!this.address} @click=${() => { this.#change({ media: [...media, { url: this.address.trim() }] }); this.address = ''; }}>Add</button></div>`;
  }

  async #upload(input) {
    const chosen = [...input.files];
    input.value = '';
    this.uploading = true;
    try {
      for (const file of chosen) {
        const { id, kind } = await upload('/v1/media', file);
        this.#change({ media: [...(this.message.media ?? []), { id, kind, filename: file.name }] });
      }
    } finally {
      this.uploading = false;
    }
  }

  #change(changes) {
    const changed = { ...this.message, ...changes };
    Object.keys(changed).filter((name) => changed[name] === undefined || (name === 'media' && changed.media.length === 0)).forEach((name) => delete changed[name]);
    this.message = changed;
    this.dispatchEvent(new CustomEvent('message', { detail: changed }));
  }
}

customElements.define('message-fields', MessageFields);

/** How a message looks on each channel it goes to, with the values of the first target. */
class MessagePreview extends View {
  static properties = { message: { attribute: false }, accounts: { attribute: false }, target: { attribute: false }, shown: { state: true } };

  #asked = null;
  #timer = null;

  updated() {
    const asked = JSON.stringify([this.message, this.accounts, this.target]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(asked), 400);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#asked = null;
  }

  async #ask(asked) {
    const { message, target } = this;
    const first = new Map((this.accounts ?? []).map((account) => [account.channel, account]).reverse());
    const said = message.text?.trim() || message.media?.length || message.channelData;
    const shown = !said ? [] : await Promise.all([...first].map(async ([channel, account]) => {
      try {
        const body = { ...message, account: account.id, to: target?.to ?? 'chat', text: fill(message.text, message.format ?? 'markdown', target ?? {}) };
        return { channel, parts: (await post('/v1/messages/preview', body)).parts };
      } catch (problem) {
        return { channel, problem: problem.errors?.[0]?.message ?? problem.message };
      }
    }));
    if (asked === this.#asked) this.shown = shown;
  }

  view() {
    return html`<section aria-label="Preview"><h3>${this.target ? `As ${this.target.name ?? this.target.to} gets it` : 'As people get it'}</h3>
      ${!this.shown || this.shown.length === 0 ? html`<p class="quiet">Write something to see it here.</p>` : this.shown.map((one) => html`
        <p class="quiet">${one.channel}${one.parts ? `, ${count(one.parts.length, 'part')}` : ''}</p>
        ${one.problem ? html`<p class="field-problem">${one.problem}</p>` : html`<div class="chat">${one.parts.map((part) => html`<div class="bubble ours">
          ${part.media.map((file) => html`<div class="quiet">${file.kind ?? 'file'}: ${file.filename ?? file.url ?? file.id}</div>`)}
          ${part.text ? html`<div class="said">${part.text}</div>` : nothing}
          ${part.limit ? html`<div class="about">${number(part.size)} of ${number(part.limit)}</div>` : nothing}</div>`)}</div>`}`)}
    </section>`;
  }
}

customElements.define('message-preview', MessagePreview);
