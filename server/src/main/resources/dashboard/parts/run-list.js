import { View, html, nothing, repeat } from '../base/view.js';
import { query } from '../base/api.js';
import { List } from '../base/list.js';
import { progress, reached, runLink, standing, tools, UNDER_WAY } from './run.js';
import { at, badge, more, newer, old, pending } from './shown.js';

const row = (run, cells) => html`<tr data-row>
  <td class="main">${runLink(run)}<div class="quiet">fired ${at(run.instant)} on ${run.account}</div></td>
  <td data-name="State">${badge(run.status)}</td>
  <td data-name="Reached"><div class="grow">${progress(run)}<div class="quiet">${reached(run)}</div></div></td>
  <td class="why" data-name="What next"><div>${standing(run)}</div></td>
  ${cells}</tr>`;

const head = (last) => html`<thead><tr><th>Run</th><th>State</th><th>Reached</th><th>What next</th>${last}</tr></thead>`;

/** The runs of a reminder, the newest first. */
class RunList extends View {
  static properties = { reminder: {} };

  runs = new List(this, () => (this.reminder ? query('/v1/runs', { reminder: this.reminder, limit: 20 }) : null), { on: ['run.', 'reminder.'], pause: 2000 });

  view() {
    const { items } = this.runs;
    return html`${old(this.runs)}${newer(this.runs)}<section class="card"><div class="head"><h2>Runs</h2></div>
      ${!items ? pending(this.runs) : items.length === 0 ? html`<p class="empty">It has not fired yet.</p>` : html`<div class="scroll"><table class="cards">${head(nothing)}
        <tbody data-rows>${repeat(items, (run) => run.id, (run) => row(run, nothing))}</tbody></table></div>`}
      ${more(this.runs, this)}</section>`;
  }
}

customElements.define('run-list', RunList);

/** The runs that have not ended, with what can be done about each. */
class ActiveRuns extends View {
  runs = new List(this, () => query('/v1/runs', { status: UNDER_WAY, limit: 50 }), { on: ['run.', 'reminder.fired'], every: 5000 });

  view() {
    const { items } = this.runs;
    if (!items) return this.runs.problem ? pending(this.runs) : nothing;
    if (items.length === 0) return nothing;
    return html`<section class="card"><div class="head"><h2>Runs under way</h2>${newer(this.runs)}</div>${old(this.runs)}<div class="scroll"><table class="cards">
      ${head(html`<th><span class="unseen">Actions</span></th>`)}
      <tbody data-rows>${repeat(items, (run) => run.id, (run) => row(run, html`<td class="tools"><span class="line">${tools(run, this, [], () => this.runs.reload())}</span></td>`))}</tbody>
    </table></div>${more(this.runs, this)}</section>`;
  }
}

customElements.define('active-runs', ActiveRuns);
