import { View, html, nothing, repeat } from '../base/view.js';
import { path, query, remove } from '../base/api.js';
import { List } from '../base/list.js';
import { may } from '../base/me.js';
import { refine, to } from '../base/route.js';
import { number } from '../base/words.js';
import { confirmRemoval, enable, fire, nextFiring } from '../parts/reminder.js';
import { at, badge, more, newer, old, pending, since } from '../parts/shown.js';
import '../parts/run-list.js';

/** All reminders: what they send to whom and when, and how they went the last time. */
class RemindersPage extends View {
  reminders = new List(this, () => (this.place ? query('/v1/reminders', { account: this.place.filters.account, limit: 50 }) : null), { on: ['reminder.', 'run.'], pause: 2000 });

  view() {
    const { items } = this.reminders;
    return html`
      <div class="title"><h1>Reminders</h1>
        <span class="filters"><select aria-label="Account" @change=${(event) => refine({ account: event.target.value })}>
          <option value="" ?selected=${!this.place.filters.account}>Any account</option>
          ${(this.stats?.accounts ?? []).map((account) => html`<option value=${account.id} ?selected=${account.id === this.place.filters.account}>${account.id}</option>`)}</select></span>
        ${may('send') ? html`<a class="button primary" href=${to('reminder', 'new')}>New reminder</a>` : nothing}</div>
      <active-runs></active-runs>
      ${old(this.reminders)}
      ${newer(this.reminders)}
      <section class="card"><div class="head"><h2>All reminders</h2></div>
        ${!items ? pending(this.reminders) : items.length === 0
    ? html`<p class="empty">There are none. A reminder sends the same messages to many chats: once, by a schedule, or by hand.</p>`
    : this.#table(items)}
        ${more(this.reminders, this)}</section>`;
  }

  #table(items) {
    return html`<div class="scroll"><table class="cards">
      <thead><tr><th>Reminder</th><th>When</th><th class="num">Targets</th><th>Next firing</th><th>Last run</th><th></th></tr></thead>
      <tbody data-rows>${repeat(items, (reminder) => reminder.id, (reminder) => html`<tr data-row>
        <td class="main"><a class="whole" href=${to('reminder', reminder.id)}>${reminder.name}</a><div class="quiet">${reminder.accounts?.join(', ') ?? reminder.account}</div></td>
        <td class="why" data-name="When"><span>${reminder.scheduleText ?? 'fired by hand'}<div class="quiet">${reminder.windowText ?? 'at any hour'}</div></span></td>
        <td class="num" data-name="Targets">${number(reminder.targetCount)}</td>
        <td class="when" data-name="Next firing"><div>${this.#next(reminder)}</div></td>
        <td data-name="Last run">${this.#last(reminder)}</td>
        <td class="tools wraps">${may('send') ? this.#tools(reminder) : nothing}</td>
      </tr>`)}</tbody></table></div>`;
  }

  #next(reminder) {
    if (!reminder.enabled) return badge('switched off');
    const next = nextFiring(reminder);
    return next ? html`${at(next)}<div class="quiet">${since(next)}</div>` : html`<span class="quiet">${reminder.schedule ? 'never again' : 'by hand'}</span>`;
  }

  #last({ lastRun: run }) {
    if (!run) return html`<span class="quiet">none of late</span>`;
    return html`<div><a href=${to('run', run.id)}>${badge(run.status)}</a><span class="waits">${since(run.createdAt)}</span>${run.summary ? html`<span class="waits clip">${run.summary}</span>` : nothing}</div>`;
  }

  #tools(reminder) {
    const act = (action) => this.act(async () => { await action(); await this.reminders.renew(); });
    return html`<span class="line">
      <button @click=${() => this.act(() => fire(reminder))}>Fire now</button>
      ${reminder.schedule ? html`<button @click=${() => act(() => enable(reminder, !reminder.enabled))}>${reminder.enabled ? 'Switch off' : 'Switch on'}</button>` : nothing}
      <button class="danger" @click=${() => act(async () => { if (await confirmRemoval(reminder)) await remove(path`/v1/reminders/${reminder.id}`); })}>Delete</button></span>`;
  }
}

customElements.define('page-reminders', RemindersPage);
