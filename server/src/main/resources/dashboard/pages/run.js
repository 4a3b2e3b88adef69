import { View, html, nothing } from '../base/view.js';
import { path } from '../base/api.js';
import { Load } from '../base/load.js';
import { to } from '../base/route.js';
import { number } from '../base/words.js';
import { isOver, percent, progress, reached, standing, tools } from '../parts/run.js';
import { watch } from '../parts/run-watch.js';
import { at, badge, fact, old, pending } from '../parts/shown.js';
import '../parts/run-targets.js';

/** One firing of a reminder: how far it is, what it waits for, who was reached and who was not. */
class RunPage extends View {
  run = new Load(this, () => (this.place?.id ? path`/v1/runs/${this.place.id}` : null), { on: ['run.'], every: 3000 });

  view() {
    const run = this.run.data;
    if (!run) return html`<h1>Run</h1>${this.place?.id ? pending(this.run) : html`<p class="empty">Which one? <a href="#/reminders">All reminders</a></p>`}`;
    if (!isOver(run)) watch(run);
    return html`
      ${old(this.run)}
      <div class="title"><h1>${run.name}</h1>${badge(run.status)}</div>
      <p><a href=${to('reminder', run.reminderId)}>← The reminder</a></p>
      <p class="sentence ${run.status === 'failed' ? 'bad' : ''}" role="status">${standing(run)}</p>
      <section class="card"><div class="body stack">
        ${progress(run)}
        <p>${reached(run)}${run.sending > 0 ? `, ${number(run.sending)} being sent to` : ''} (${percent(run)} %)</p>
        <dl class="facts">
          ${fact('Fired', at(run.instant))}${fact('First sent', at(run.startedAt))}${fact('Ended', run.endedAt ? at(run.endedAt) : null)}
          ${fact('Done at about', isOver(run) || !run.eta ? null : at(run.eta))}${fact('Window closes', run.windowEndsAt && !isOver(run) ? at(run.windowEndsAt) : null)}
          ${fact('Account', html`<a href=${to('accounts', run.account)}>${run.account}</a>`)}
          ${fact('Messages', html`<a href=${to('messages', null, { runId: run.id })}>All of this run</a>`)}
        </dl>
        <div class="line">${tools(run, this, this.stats?.accounts ?? [], () => this.run.reload())}</div>
      </div></section>
      <h2>Who was reached</h2>
      <run-targets .run=${run} .status=${this.place.filters.state} .reason=${this.place.filters.reason}></run-targets>`;
  }
}

customElements.define('page-run', RunPage);
