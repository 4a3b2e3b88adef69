import { View, html, nothing } from '../base/view.js';
import { path, remove } from '../base/api.js';
import { Load } from '../base/load.js';
import { may } from '../base/me.js';
import { go } from '../base/route.js';
import { confirmRemoval, fire, nextFiring } from '../parts/reminder.js';
import { at, badge, old, pending, since } from '../parts/shown.js';
import '../parts/reminder-form.js';
import '../parts/run-list.js';

/** A reminder: its editor and its runs. The id `new` begins one. */
class ReminderPage extends View {
  reminder = new Load(this, () => (this.place?.id && this.place.id !== 'new' ? path`/v1/reminders/${this.place.id}` : null), { on: ['reminder.'], every: 30_000, pause: 3000 });

  view() {
    const isNew = this.place.id === 'new';
    const reminder = this.reminder.data;
    if (!isNew && !reminder) return html`<h1>Reminder</h1>${pending(this.reminder)}`;
    return html`
      ${old(this.reminder)}
      <div class="title"><h1>${isNew ? 'New reminder' : reminder.name}</h1>${!isNew && may('send') ? this.#tools(reminder) : nothing}</div>
      <p><a href="#/reminders">← All reminders</a></p>
      ${isNew ? nothing : this.#about(reminder)}
      <reminder-form .reminder=${isNew ? null : reminder} .accounts=${this.stats?.accounts} @saved=${() => !isNew && this.reminder.reload()}></reminder-form>
      ${isNew ? nothing : html`<run-list .reminder=${reminder.id}></run-list>`}`;
  }

  #about(reminder) {
    const next = nextFiring(reminder);
    return html`<p class="sentence">${reminder.schedule ? html`It fires ${reminder.scheduleText}. ` : 'It fires only by hand. '}
      ${!reminder.enabled ? badge('switched off') : next ? html`Next at ${at(next)}, ${since(next)}.` : reminder.schedule ? 'It fires never again.' : nothing}</p>`;
  }

  #tools(reminder) {
    return html`<button @click=${() => this.act(() => fire(reminder))}>Fire now</button>
      <button class="danger" @click=${() => this.act(async () => {
    if (!(await confirmRemoval(reminder))) return;
    await remove(path`/v1/reminders/${reminder.id}`);
    go('reminders');
  })}>Delete</button>`;
  }
}

customElements.define('page-reminder', ReminderPage);
