import { View, html, nothing, repeat } from '../base/view.js';
import { List } from '../base/list.js';
import { may } from '../base/me.js';
import { to } from '../base/route.js';
import { at, more, newer, old, pending } from '../parts/shown.js';

/** The page of what an action was about, by the first word of the action. */
const PAGES = { accounts: 'accounts', messages: 'messages', 'dead-letters': 'messages', reminders: 'reminder', runs: 'run', sessions: 'conversations' };

/** `ID (name: value, …)`, as the trail has it: the id leads to its page, the rest stands below. */
function target({ action, target: written, outcome }) {
  const [, named, listed = ''] = /^(.*?)\s*(?:\((.*)\))?$/s.exec(written) ?? [null, written];
  const given = listed === '' ? [] : listed.split(/, (?=\w+: )/).map((each) => each.split(/: (.*)/s).slice(0, 2));
  const value = Object.fromEntries(given);
  const [kind] = action.split(' ');
  const id = named || value.id;
  const page = id && PAGES[kind];
  const rest = given.filter(([name]) => !['id', 'name', 'account', 'to'].includes(name) || (name === 'account' && kind !== 'lanes'));
  const name = kind === 'lanes' && value.to ? html`<a href=${to('waiting', null, { account: value.account, to: value.to })}>${value.to}</a> on ${value.account}`
    : page && !/failed/.test(outcome) ? html`<a href=${to(page, id)}>${value.name ?? id}</a>` : value.name ?? id ?? nothing;
  return html`${name}${rest.length ? html`<div class="waits">${rest.map(([key, text], i) => html`${i > 0 ? '; ' : nothing}${WORDS[key] ?? key}: ${text}`)}</div>` : nothing}`;
}

const WORDS = { dryRun: 'only counted', waitingFor: 'waiting for', ids: 'messages', leaseFor: 'for' };

/** What operators did, by dashboard, command line and API. */
class AuditPage extends View {
  trail = new List(this, () => (may('admin') ? '/v1/audit' : null), {
    every: 5000, on: ['account.', 'lane.', 'run.', 'message.cancelled'], key: (entry) => [entry.at, entry.operator, entry.action, entry.target].join(' '),
  });

  view() {
    return html`
      <div class="title"><h1>Audit trail</h1></div>
      <p class="quiet">What operators did with the dashboard, the command line and the API, the newest first. Kept for 90 days.</p>
      ${may('admin') ? this.#entries() : html`<p class="sentence">Only tokens with the role admin see what operators did.</p>`}`;
  }

  #entries() {
    const { items } = this.trail;
    if (items === null) return pending(this.trail);
    return html`
      ${old(this.trail)}
      ${newer(this.trail)}
      ${items.length === 0 ? html`<p class="card empty">Nobody has done anything yet.</p>` : html`<section class="card"><div class="scroll"><table class="cards">
        <thead><tr><th>When</th><th>Who</th><th>Did what</th><th>To what</th><th>Outcome</th></tr></thead>
        <tbody data-rows>${repeat(items, (entry) => [entry.at, entry.operator, entry.action, entry.target].join(' '), (entry) => html`<tr data-row tabindex="-1">
          <td class="when" data-name="When">${at(entry.at)}</td>
          <td data-name="Who">${entry.operator}</td>
          <td data-name="Did what">${entry.action.replace('-', ' ')}</td>
          <td class="main" data-name="To what"><div>${target(entry)}</div></td>
          <td data-name="Outcome">${entry.outcome.startsWith('failed') ? html`<span class="badge bad">failed</span> ${entry.outcome.replace(/^failed:? ?/, '') || nothing}` : entry.outcome}</td>
        </tr>`)}</tbody></table></div>${more(this.trail, this)}</section>`}`;
  }
}

customElements.define('page-audit', AuditPage);
