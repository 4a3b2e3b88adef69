import { View, html, nothing } from '../base/view.js';
import { post, Problem } from '../base/api.js';
import { clock, number } from '../base/words.js';
import { previewBodyOf } from './reminder-draft.js';
import { fit } from './reminder.js';

/**
 * What a reminder will come to: how it would go now, and its next firings, each with whether it fits.
 * Asked anew when the draft has been still for a moment. Tells `problems` with what the server says
 * of the times.
 */
class ReminderOutlook extends View {
  static properties = { draft: { attribute: false }, outlook: { state: true }, failed: { state: true }, asking: { state: true } };

  #asked = null;
  #timer = null;

  updated() {
    if (this.draft === this.#asked) return;
    this.#asked = this.draft;
    clearTimeout(this.#timer);
    if (this.draft.accounts.length === 0) return;
    this.#timer = setTimeout(() => this.#ask(), 500 + this.draft.targets.length / 20);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#asked = null;
  }

  async #ask() {
    const asked = this.draft;
    this.asking = true;
    let problems = [];
    try {
      const outlook = await post('/v1/reminders/preview', previewBodyOf(asked));
      if (asked !== this.#asked) return;
      this.outlook = outlook;
      this.failed = null;
    } catch (problem) {
      if (asked !== this.#asked) return;
      this.failed = problem.message;
      problems = problem instanceof Problem ? problem.errors : [];
    }
    this.asking = false;
    this.dispatchEvent(new CustomEvent('problems', { detail: problems.filter(({ field }) => !/^(name|targets|messages)\b/.test(field)) }));
  }

  view() {
    if (this.failed) return html`<p class="problem">It cannot be told yet: ${this.failed}</p>`;
    if (!this.outlook) return html`<p class="quiet">${this.draft.accounts.length === 0 ? 'Choose an account to see whether it fits.' : 'Looking ahead…'}</p>`;
    const { outlook } = this;
    return html`
      ${this.draft.targets.length === 0 ? html`<p class="quiet">Add targets to see whether they fit.</p>`
    : html`<p class=${outlook.fits ? nothing : 'note'}><strong>If it fired now:</strong> ${fit(outlook)}</p>`}
      ${(outlook.notes ?? []).map((note) => html`<p class="note">${note}</p>`)}
      ${outlook.firings?.length > 0 ? html`<h3>The next firings</h3><ol class="firings">${outlook.firings.map((firing) => this.#firing(firing))}</ol>` : nothing}`;
  }

  #firing(firing) {
    const far = firing.fits ? '' : `: ${number(firing.reached)} of ${number(firing.total)} before the window closes`;
    return html`<li><time datetime=${firing.at}>${local(firing.at)}</time>
      <span class="badge ${firing.fits ? 'good' : 'warn'}">${firing.fits ? 'fits' : 'does not fit'}</span>
      <span class="quiet">${firing.note ?? (firing.fits && firing.doneAt ? `done at about ${clock(firing.doneAt, { seconds: false })}` : far)}</span></li>`;
  }
}

/** The local time of the reminder, as the answer has it with its offset. */
const local = (at) => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(at) ?? [null, at, ''];
  const date = new Date(`${day}T12:00:00Z`);
  return time ? `${date.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })}, ${time}` : at;
};

customElements.define('reminder-outlook', ReminderOutlook);
