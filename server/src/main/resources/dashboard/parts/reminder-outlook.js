import { View, html, nothing } from '../base/view.js';
import { post, Problem } from '../base/api.js';
import { count, exact, number, wallClock, zoneName } from '../base/words.js';
import { previewBodyOf } from './reminder-draft.js';
import { fit } from './reminder.js';
import { at } from './shown.js';

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
      problems = problem instanceof Problem ? problem.errors : [];
      this.failed = problems.length > 1 ? `${count(problems.length, 'mistake')} must be corrected first.` : problem.message;
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
    return html`<li><span><time datetime=${firing.at} title=${exact(firing.at)}>${moment(firing.at)}</time>${theirs(firing.at, this.draft.timezone)}</span>
      <span class="badge ${firing.fits ? 'good' : 'warn'}">${firing.fits ? 'fits' : 'does not fit'}</span>
      <span class="quiet">${what(firing)}</span></li>`;
  }
}

/** What comes of a firing; that it sends nothing, and why, the server says best. */
function what({ startsAt, doneAt, fits, reached, total, note }) {
  if (!startsAt) return note;
  const opens = Date.parse(startsAt) > Date.now() && !fits ? html`begins at ${at(startsAt)}; ` : nothing;
  if (fits && doneAt) return html`all ${number(total)} are reached by ${at(doneAt)}`;
  return html`${opens}about ${number(reached)} of ${number(total)} are reached before its hours end${doneAt ? html`, and the rest by ${at(doneAt)}` : nothing}`;
}

/** In the viewer's zone, as all other moments. */
const moment = (instant) => new Date(instant).toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: zoneName() });

/** The hour there, where the clocks of the reminder's zone show another one. */
function theirs(instant, zone) {
  try {
    const there = wallClock(Date.parse(instant), zone);
    return there === wallClock(Date.parse(instant)) ? nothing : html` <span class="quiet">(${there.slice(11, 16)} in ${zone})</span>`;
  } catch {
    return nothing; // the zone is being written
  }
}

customElements.define('reminder-outlook', ReminderOutlook);
