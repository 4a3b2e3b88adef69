import { html, nothing, repeat } from '../base/view.js';
import { path, post } from '../base/api.js';
import { may } from '../base/me.js';
import { to } from '../base/route.js';
import { number } from '../base/words.js';
import { stateOf } from './account.js';
import { accountAction } from './account-actions.js';
import { at, badge, since } from './shown.js';
import { toast } from './toast.js';

const PERIODS = { perSecond: 'a second', perMinute: 'a minute', perHour: 'an hour', perDay: 'a day' };

/** How fast an account may send, and how much of that is in use. */
function pace({ pace: allowed, share, throttledUntil }) {
  const limits = Object.entries(PERIODS).filter(([name]) => allowed?.[name]).map(([name, words]) => `${number(allowed[name])} ${words}`).join(', ');
  const used = allowed?.inUse?.share ?? share;
  const opens = allowed?.inUse?.opensAt ?? throttledUntil;
  return html`${limits || (allowed ? 'no limit' : nothing)}
    ${used !== undefined && used < 0.995 ? html`<span class="waits">slowed to ${Math.round(used * 100)} %</span>` : nothing}
    ${opens ? html`<span class="waits">goes on ${at(opens)}${allowed?.inUse?.cause ? `: ${allowed.inUse.cause}` : ''}</span>` : nothing}`;
}

function listening({ listening: hears }) {
  if (hears.status === 'off') return html`<span class="quiet">off</span>`;
  if (hears.status === 'ok') return badge('ok');
  return html`${badge(hears.refused ? 'refused' : 'failing')}<span class="waits">${hears.cause ?? 'hears nothing'}${hears.since ? html`, since ${at(hears.since)}` : nothing}</span>`;
}

async function pause(account) {
  await post(path`/v1/accounts/${account.id}/pause`);
  toast(`${account.id} is paused.`, { action: { label: 'Undo', do: () => post(path`/v1/accounts/${account.id}/resume`).catch((problem) => toast(problem.message, { bad: true })) } });
}

/** The accounts: how they are, since when and why, what comes next, and one click for each. */
export const accountTable = (accounts, view) => html`
  <div class="scroll"><table class="cards even broad" aria-label="Accounts">
    <thead><tr><th class="w-name">Account</th><th>State</th><th class="w-time">Since</th><th class="w-short">Pace</th><th class="w-short">Waiting</th><th class="w-short">Listening</th><th class="num w-number">Dead letters</th><th class="w-tools"><span class="unseen">Actions</span></th></tr></thead>
    <tbody>${repeat(accounts, (account) => account.id, (account) => html`<tr data-row>
      <td data-name="Account"><div><a class="whole" href=${to('accounts', account.id)}>${account.id}</a><span class="waits">${account.channel}</span></div></td>
      <td data-name="State"><div>${badge(stateOf(account))}${account.reason ? html`<span class="waits">${account.reason}</span>` : nothing}
        ${account.nextProbeAt ? html`<span class="waits">next probe ${at(account.nextProbeAt)}</span>` : nothing}</div></td>
      <td class="when" data-name="Since"><div>${at(account.since)}<span class="waits">${since(account.since)}</span></div></td>
      <td data-name="Pace"><div>${pace(account)}</div></td>
      <td data-name="Waiting"><div><a href=${to('waiting', null, { account: account.id })}>${number(account.queued)}</a>${account.oldestWaitingAt ? html`<span class="waits">the oldest ${at(account.oldestWaitingAt)}</span>` : nothing}</div></td>
      <td data-name="Listening"><div>${listening(account)}</div></td>
      <td class="num" data-name="Dead letters"><a href=${to('dead-letters', null, { account: account.id })}>${number(account.deadLetters)}</a></td>
      <td class="tools">${may('admin') ? html`<div class="line">${accountAction(account, view)}
        ${account.health === 'paused' ? nothing : html`<button @click=${() => view.act(() => pause(account))}>Pause</button>`}</div>` : nothing}</td>
    </tr>`)}</tbody></table></div>`;
