import { View, html, nothing, repeat } from '../base/view.js';
import { path, query } from '../base/api.js';
import { List } from '../base/list.js';
import { refine, to } from '../base/route.js';
import { number } from '../base/words.js';
import { isOver, saveTargets, standing } from './run.js';
import { at, badge, more, newer, old, pending } from './shown.js';

const STATES = ['pending', 'sending', 'sent', 'delivered', 'read', 'failed', 'skipped', 'suppressed', 'cancelled'];

/** A run's targets, each with its state and reason; filtered by either. */
class RunTargets extends View {
  static properties = { run: { attribute: false }, status: {}, reason: {} };

  targets = new List(this, () => (this.run ? query(path`/v1/runs/${this.run.id}/targets`, { status: this.status, reason: this.reason, limit: 100 }) : null),
    { on: ['run.', 'message.delivered', 'message.failed', 'receipt.'], pause: 2000, every: 5000, key: (target) => target.to + '\n' + target.account });

  view() {
    const { items } = this.targets;
    return html`<div class="line"><div class="tabs" role="group" aria-label="Targets by state">
        ${this.#tab(null, 'All', this.run.total)}${STATES.map((state) => this.#tab(state, state, this.#amount(state)))}</div>
        <button @click=${() => this.act(() => saveTargets(this.run, this))}>Save ${this.reason ? 'these' : this.status ? `${this.status} ones` : 'all'} as CSV</button></div>
      ${this.#reasons()}
      ${old(this.targets)}
      ${newer(this.targets)}
      <section class="card">${!items ? pending(this.targets) : items.length === 0 ? html`<p class="empty">There are none.</p>` : this.#table(items)}
        ${more(this.targets, this)}</section>`;
  }

  /** How many are in a state: the run counts delivered and read ones among the sent. */
  #amount(state) {
    const counts = this.run.byStatus;
    if (counts) return counts[state] ?? 0;
    if (state === 'sent') return this.run.sent - this.run.delivered;
    return (this.run[state] ?? 0) - (state === 'delivered' ? this.run.read : 0);
  }

  #tab(state, title, amount) {
    if (amount === 0 && state !== (this.status ?? null)) return nothing;
    return html`<button aria-pressed=${state === (this.status ?? null) ? 'true' : 'false'} @click=${() => refine({ state, reason: null })}>${title}
      <span class="count ${state === 'failed' ? 'bad' : ''}">${number(amount)}</span></button>`;
  }

  #reasons() {
    const reasons = this.run.byReason ?? [];
    if (reasons.length === 0) return nothing;
    return html`<section class="card"><div class="head"><h2>Why not reached</h2></div><div class="body"><ul class="reasons">
      ${reasons.map(({ reason, count }) => html`<li><button class="plain" aria-pressed=${reason === this.reason ? 'true' : 'false'} @click=${() => refine({ reason: reason === this.reason ? null : reason })}>
        <strong>${number(count)}</strong> ${reason}</button></li>`)}</ul></div></section>`;
  }

  /** Why it was not reached, or not yet. */
  #why(target) {
    if (target.error) return html`<span>${target.error}</span>`;
    if (target.status === 'sending') return html`<span class="quiet">on its way</span>`;
    if (target.status !== 'pending') return nothing;
    return html`<span class="quiet">${isOver(this.run) ? 'not tried' : this.run.status === 'running' ? 'waits for its turn' : standing(this.run)}</span>`;
  }

  #table(items) {
    return html`<div class="scroll"><table class="cards">
      <thead><tr><th>Chat</th><th>State</th><th>Why</th><th>Ended</th><th>Messages</th></tr></thead>
      <tbody data-rows>${repeat(items, (target) => `${target.to}\n${target.account}`, (target) => html`<tr data-row>
        <td class="main">${target.name ? html`<strong>${target.name}</strong><div class="quiet">${target.to}</div>` : target.to}
          ${target.account === this.run.account ? nothing : html`<div class="quiet">from ${target.account}</div>`}</td>
        <td data-name="State">${badge(target.status)}</td>
        <td class="why" data-name="Why">${this.#why(target)}</td>
        <td class="when" data-name="Ended">${at(target.endedAt)}</td>
        <td data-name="Messages">${target.messageIds.length === 0 ? nothing : html`<span>${target.messageIds.map((id, i) => html`<a href=${to('messages', id)} aria-label="Message ${i + 1} to ${target.name ?? target.to}">${i + 1}</a> `)}</span>`}</td>
      </tr>`)}</tbody></table></div>`;
  }
}

customElements.define('run-targets', RunTargets);
