import { View, html, live, nothing, repeat } from '../base/view.js';
import { count, number } from '../base/words.js';
import { placeholders, valueOf } from './reminder-draft.js';
import { ownHours, readTargets, writeTargets } from './targets-table.js';

const SHOWN = 50;

/**
 * A reminder's targets: shown as a table, changed as text or from a file. Tells `targets` with
 * {targets, errors} whenever they change. `given`: what to begin with; `messages`: what needs values.
 */
class TargetList extends View {
  static properties = { given: { attribute: false }, messages: { attribute: false }, problems: { attribute: false }, text: { state: true }, shown: { state: true }, find: { state: true } };

  #targets = [];
  #errors = [];
  #from = null;
  #timer = null;

  constructor() {
    super();
    this.text = null;
    this.shown = SHOWN;
    this.find = '';
  }

  willUpdate() {
    if (this.given === this.#from) return;
    this.#from = this.given;
    this.#targets = this.given;
    this.#errors = [];
    this.text = this.given.length === 0 ? '' : null;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  view() {
    return html`
      <p role="status">${this.#summary()}</p>
      ${this.#errors.length > 0 ? html`<ul class="field-problem" role="alert">${this.#errors.slice(0, 20).map((error) => html`<li>Line ${error.line}: ${error.message}</li>`)}
        ${this.#errors.length > 20 ? html`<li>and ${number(this.#errors.length - 20)} more</li>` : nothing}</ul>` : nothing}
      ${this.#missing()}
      <div class="line">
        <label class="button">From a file <input class="sr-only" type="file" accept=".csv,.tsv,.txt,text/*" @change=${(event) => this.act(() => this.#open(event.target))}></label>
        ${this.text === null
    ? html`<button type="button" @click=${() => { this.text = writeTargets(this.#targets); }}>Edit or paste</button>`
    : html`<button type="button" ?disabled=${this.#targets.length === 0 || this.#errors.length > 0} @click=${() => { this.read(); if (this.#errors.length === 0) this.text = null; }}>Show as a table</button>`}
        ${this.text === null && this.#targets.length > SHOWN ? html`<input type="search" class="find-target" aria-label="Find a target" placeholder="Find a chat or name" .value=${live(this.find)} @input=${(event) => { this.find = event.target.value; this.shown = SHOWN; }}>` : nothing}
      </div>
      ${this.text === null ? this.#table() : html`<label>One chat a line, or a table whose first row names its columns: to, name, account; every other column, but for timezone and window, is a variable
        <textarea class="mono" rows="10" spellcheck="false" placeholder="to,name,room&#10;-1001,Team A,4.12&#10;-1002,Team B,5.01" aria-invalid=${this.#errors.length > 0 ? 'true' : 'false'}
          .value=${live(this.text)} @input=${(event) => this.#typed(event.target.value)}></textarea></label>`}`;
  }

  #summary() {
    const wrong = this.#errors.length > 0 ? `, and ${count(this.#errors.length, 'mistake')} to correct` : '';
    return this.#targets.length === 0 && !wrong ? 'No targets yet. Paste them, or open a file.' : `${count(this.#targets.length, 'target')}${wrong}.`;
  }

  /** Who lacks a value that the messages name, before the server says so. */
  #missing() {
    return placeholders(this.messages ?? []).map((name) => {
      const lacking = this.#targets.filter((target) => valueOf(target, name) === undefined);
      if (lacking.length === 0) return nothing;
      return html`<p class="note">${count(lacking.length, 'target')} ${lacking.length === 1 ? 'has' : 'have'} no value for {{${name}}}, such as ${lacking[0].name ?? lacking[0].to}.</p>`;
    });
  }

  #table() {
    const wanted = this.find.trim().toLowerCase();
    const found = wanted ? this.#targets.filter((target) => `${target.to} ${target.name ?? ''}`.toLowerCase().includes(wanted)) : this.#targets;
    const variables = [...new Set(this.#targets.slice(0, 1000).flatMap((target) => Object.keys(target.variables ?? {})))];
    const optional = [['Name', (target) => target.name ?? ''], ['Account', (target) => target.account ?? ''], ['Own hours', ownHours]].filter(([, value]) => this.#targets.some(value));
    return html`<div class="scroll targets"><table class="cards">
      <thead><tr><th>Chat</th>${optional.map(([title]) => html`<th>${title}</th>`)}${variables.map((name) => html`<th>${name}</th>`)}<th></th></tr></thead>
      <tbody>${repeat(found.slice(0, this.shown), (target) => `${target.to}\n${target.account ?? ''}`, (target) => html`<tr>
        <td data-name="Chat">${target.to}</td>${optional.map(([title, value]) => html`<td data-name=${title}>${value(target)}</td>`)}
        ${variables.map((name) => html`<td data-name=${name}>${target.variables?.[name] ?? ''}</td>`)}
        <td class="tools"><button type="button" aria-label="Remove ${target.name ?? target.to}" @click=${() => this.#set(this.#targets.filter((one) => one !== target), [])}>Remove</button></td></tr>`)}</tbody>
    </table></div>
    ${found.length === 0 ? html`<p class="empty">None has that in its chat or name.</p>` : nothing}
    ${found.length > this.shown ? html`<p class="more"><button type="button" @click=${() => { this.shown += 200; }}>Show more of ${number(found.length)}</button></p>` : nothing}`;
  }

  async #open(input) {
    const file = input.files[0];
    input.value = '';
    if (!file) return;
    this.text = await file.text();
    this.read();
    if (this.#errors.length === 0 && this.#targets.length > 0) this.text = null;
  }

  #typed(text) {
    this.text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.read(), text.length > 200_000 ? 1000 : 250);
  }

  /** Reads the text now. */
  read() {
    clearTimeout(this.#timer);
    if (this.text === null) return;
    const { targets, errors } = readTargets(this.text);
    this.#set(targets, errors);
  }

  #set(targets, errors) {
    this.#targets = targets;
    this.#errors = errors;
    this.dispatchEvent(new CustomEvent('targets', { detail: { targets, errors } }));
    this.requestUpdate();
  }
}

customElements.define('target-list', TargetList);
