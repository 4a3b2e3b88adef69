import { View, html, live, nothing, repeat } from '../base/view.js';
import { path, post, put } from '../base/api.js';
import { may } from '../base/me.js';
import { go } from '../base/route.js';
import { count } from '../base/words.js';
import { LeaveGuard } from './leave-guard.js';
import { sendTest } from './reminder-test.js';
import { bodyOf, draftOf } from './reminder-draft.js';
import { paceFields, scheduleFields, windowFields } from './time-fields.js';
import { toast } from './toast.js';
import './message-fields.js';
import './reminder-outlook.js';
import './target-list.js';

/**
 * The editor of a reminder. It works on a draft of its own, so that what comes in meanwhile changes
 * nothing under a person's hands; if somebody else has saved, it says so and offers theirs.
 */
class ReminderForm extends View {
  static properties = { reminder: { attribute: false }, accounts: { attribute: false }, draft: { state: true }, saving: { state: true } };

  #from;
  #dirty = false;
  #refused = [];
  #ahead = [];
  #targetErrors = [];
  #keys = [];

  constructor() {
    super();
    new LeaveGuard(this, () => this.#dirty);
  }

  willUpdate() {
    if (this.draft === undefined || (!this.#dirty && this.reminder?.updatedAt !== this.#from?.updatedAt)) this.#begin();
    if (!this.reminder && this.draft.accounts.length === 0 && this.accounts?.length > 0) {
      this.draft = { ...this.draft, accounts: [(this.accounts.find((account) => account.health === 'ready') ?? this.accounts[0]).id] };
    }
  }

  #begin() {
    this.#from = this.reminder;
    this.draft = draftOf(this.reminder);
    this.#keys = this.draft.messages.map((_, i) => i);
    this.#dirty = false;
    this.#refused = [];
  }

  /** Changes the draft; what was said of the changed fields is not true any more. */
  change(changes) {
    this.draft = { ...this.draft, ...changes };
    this.#dirty = true;
    const changed = Object.keys(changes);
    this.#refused = this.#refused.filter(({ field }) => !changed.some((name) => field.startsWith(name)));
  }

  /** A control with its label, and beside it what the server said of the field. */
  field(label, name, control) {
    return html`<label data-field=${name}>${label}${control}${this.#said(name)}</label>`;
  }

  #problems() {
    const ahead = this.#ahead.filter(({ field }) => !this.#refused.some((one) => one.field === field));
    return [...this.#refused, ...ahead];
  }

  #of(name) {
    return name === '' ? [] : this.#problems().filter(({ field }) => field === name || field.startsWith(`${name}[`));
  }

  #said(...names) {
    const said = names.flatMap((name) => this.#of(name));
    return said.length === 0 ? nothing : html`<span class="field-problem">${said.slice(0, 10).map(({ message }) => html`<span>${message}</span> `)}</span>`;
  }

  updated() {
    for (const label of this.querySelectorAll('[data-field]')) {
      const wrong = this.#of(label.dataset.field).length > 0;
      label.querySelector('input, select, textarea')?.setAttribute('aria-invalid', String(wrong));
    }
  }

  view() {
    return html`
      ${this.#changedMeanwhile()}
      <form novalidate class="stack" @submit=${(event) => { event.preventDefault(); this.act(() => this.#save()); }}>
        <fieldset class="all stack" ?disabled=${!may('send')}>
          ${this.#section('What and from whom', html`<div class="form">${this.field('Name', 'name', html`<input type="text" .value=${live(this.draft.name)} @input=${(event) => this.change({ name: event.target.value })}>`)}
            ${this.#accountFields()}
            <label class="check"><input type="checkbox" .checked=${live(this.draft.enabled)} @change=${(event) => this.change({ enabled: event.target.checked })}> It follows its schedule</label></div>`)}
          ${this.#section('To whom', html`<div class="stack">${this.#targetProblems()}
            <target-list .given=${this.#from?.targets ?? EMPTY} .messages=${this.draft.messages} @targets=${(event) => this.#onTargets(event.detail)}></target-list></div>`)}
          ${this.#section('Messages', this.#messages())}
          ${this.#section('When', html`<div class="form">${scheduleFields(this)}${this.#said('schedule.on')}</div>`)}
          ${this.#section('In which hours', html`<div class="form">${windowFields(this)}${this.#said('window', 'window.days')}</div>`)}
          ${this.#section('How fast', html`<div class="form">${paceFields(this)}</div>`)}
          ${!may('send') ? nothing : this.#section('What it will come to', html`<div class="stack"><reminder-outlook .draft=${this.draft} @problems=${(event) => { this.#ahead = event.detail; this.requestUpdate(); }}></reminder-outlook></div>`)}
        </fieldset>
        ${may('send') ? this.#foot() : nothing}
      </form>`;
  }

  #section(title, content) {
    return html`<section class="card"><div class="head"><h2>${title}</h2></div><div class="body">${content}</div></section>`;
  }

  #changedMeanwhile() {
    if (!this.#dirty || !this.reminder || this.reminder.updatedAt === this.#from?.updatedAt) return nothing;
    return html`<p class="note line" role="alert"><span>Somebody else has saved this reminder since you began. Saving replaces what they wrote.</span>
      <button type="button" @click=${() => { this.#begin(); this.requestUpdate(); }}>Drop mine and show theirs</button></p>`;
  }

  #accountFields() {
    const [main, ...others] = this.draft.accounts;
    const names = [...new Set([...(this.accounts ?? []).map((account) => account.id), ...this.draft.accounts])];
    const rest = names.filter((name) => name !== main);
    return html`${this.field('Account', 'account', html`<select @change=${(event) => this.change({ accounts: [event.target.value, ...others.filter((one) => one !== event.target.value)] })}>
        ${names.map((name) => html`<option value=${name} ?selected=${name === main}>${name}</option>`)}</select>`)}
      ${rest.length === 0 ? nothing : html`<fieldset class="wide days"><legend>Share the targets with</legend><span class="line">${repeat(rest, (name) => name, (name) => html`<label class="check"><input type="checkbox" .checked=${live(others.includes(name))}
        @change=${(event) => this.change({ accounts: event.target.checked ? [...this.draft.accounts, name] : this.draft.accounts.filter((one) => one !== name) })}>${name}</label>`)}</span>${this.#said('accounts')}</fieldset>`}`;
  }

  #onTargets({ targets, errors }) {
    this.#targetErrors = errors;
    this.change({ targets });
  }

  #targetProblems() {
    const said = this.#of('targets').concat(this.#refused.filter(({ field }) => field.startsWith('targets.')));
    if (said.length === 0) return nothing;
    return html`<ul class="field-problem" role="alert">${said.slice(0, 20).map(({ field, message }) => html`<li>${targetName(field, this.draft.targets)}: ${message}</li>`)}</ul>`;
  }

  #messages() {
    const { messages, targets, accounts } = this.draft;
    const used = (this.accounts ?? []).filter((account) => accounts.includes(account.id));
    return html`<div class="stack">${this.#said('messages')}
      ${repeat(messages, (_, i) => this.#keys[i], (message, i) => html`<message-fields .message=${message} .index=${i} .accounts=${used} .target=${targets[0]} .removable=${messages.length > 1}
        @message=${(event) => this.change({ messages: this.draft.messages.with(i, event.detail) })}
        @remove=${() => { this.#keys = this.#keys.toSpliced(i, 1); this.change({ messages: this.draft.messages.toSpliced(i, 1) }); }}></message-fields>`)}
      <div><button type="button" ?disabled=${messages.length >= 20} @click=${() => { this.#keys = [...this.#keys, Math.max(...this.#keys) + 1]; this.change({ messages: [...messages, { text: '', format: 'markdown' }] }); }}>Add a message</button></div></div>`;
  }

  #foot() {
    return html`<div class="card foot"><div class="body line">
      <button class="primary" ?disabled=${this.saving}>${this.saving ? 'Saving…' : this.reminder ? 'Save' : 'Create reminder'}</button>
      ${this.reminder ? html`<button type="button" @click=${() => this.act(() => this.#test())}>${this.#dirty ? 'Save and send a test' : 'Send a test'}</button>` : nothing}
      ${this.#dirty && this.reminder ? html`<button type="button" @click=${() => { this.#begin(); this.requestUpdate(); }}>Undo changes</button>` : nothing}
      <span role="status" class=${this.#problems().length > 0 ? 'field-problem' : 'quiet'}>${this.#problems().length > 0 ? `${count(this.#problems().length, 'field')} to correct` : this.#dirty ? 'Not saved yet' : ''}</span>
      </div></div>`;
  }

  /** Whether it is saved. */
  async #save() {
    this.querySelector('target-list').read();
    if (this.#targetErrors.length > 0) {
      toast(`The targets have ${count(this.#targetErrors.length, 'mistake')}; correct them first.`, { bad: true });
      this.querySelector('target-list').scrollIntoView({ block: 'center' });
      return false;
    }
    const sent = this.draft;
    this.saving = true;
    try {
      const saved = await (this.reminder ? put(path`/v1/reminders/${this.reminder.id}`, bodyOf(sent)) : post('/v1/reminders', bodyOf(sent)));
      this.#refused = [];
      this.#dirty = this.draft !== sent;
      this.#from = saved;
      const isNew = !this.reminder;
      this.reminder = saved;
      this.dispatchEvent(new CustomEvent('saved', { detail: saved }));
      toast(isNew ? 'The reminder is created.' : 'Saved. Runs that have begun go on as they were.');
      (saved.notes ?? []).forEach((note) => toast(note));
      if (isNew) go('reminder', saved.id);
      return true;
    } catch (problem) {
      this.#refused = problem.errors ?? [];
      toast(this.#refused.length > 0 ? `It is not saved: ${count(this.#refused.length, 'field')} to correct.` : problem.message, { bad: true });
      this.requestUpdate();
      await this.updateComplete;
      (this.querySelector('[aria-invalid="true"]') ?? this.querySelector('.field-problem'))?.scrollIntoView({ block: 'center' });
      this.querySelector('[aria-invalid="true"]')?.focus({ preventScroll: true });
      return false;
    } finally {
      this.saving = false;
    }
  }

  async #test() {
    if (this.#dirty && !(await this.#save())) return;
    await sendTest(this.reminder);
  }
}

const EMPTY = [];

/** targets[3].variables.room becomes "Team A". */
function targetName(field, targets) {
  const index = /^targets\[(\d+)\]/.exec(field)?.[1];
  if (index === undefined) return 'Targets';
  const target = targets[Number(index)];
  return `${target?.name || target?.to || `Target ${Number(index) + 1}`}${field.includes('.variables.') ? `, {{${field.split('.variables.')[1]}}}` : ''}`;
}

customElements.define('reminder-form', ReminderForm);
