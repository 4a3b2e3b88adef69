import { html, nothing } from '/lib/lit-html/lit-html.js';
import { path, post, save } from '../base/api.js';
import { may } from '../base/me.js';
import { to } from '../base/route.js';
import { ago, clock, count, number, waits } from '../base/words.js';
import { confirm, dialog } from './dialog.js';
import { toast } from './toast.js';

/** What all pages say of a run, and what can be done with it. */

const ENDED = ['success', 'partial', 'failed', 'cancelled'];

export const isOver = (run) => ENDED.includes(run.status);

/** How many targets nothing more will happen to, as things stand. */
export const settled = (run) => run.total - run.pending - run.sending;

export const progress = (run) => html`<progress max=${Math.max(1, run.total)} .value=${settled(run)}
  aria-label="Progress: ${number(settled(run))} of ${number(run.total)}"></progress>`;

/** "412 of 1,000 reached, 3 failed". */
export function reached(run) {
  const others = ['failed', 'skipped', 'cancelled'].filter((state) => run[state] > 0).map((state) => `${number(run[state])} ${state}`);
  return [`${number(run.sent)} of ${count(run.total, 'chat')} reached`, ...others].join(', ');
}

/** What a run does or waits for and until when, or how it ended. */
export function standing(run) {
  if (isOver(run)) return run.summary ?? run.errorSummary ?? reached(run);
  const until = run.until ? ` until ${clock(run.until, { seconds: false })}` : '';
  if (run.status !== 'running') return `${run.status}${until}${why(run)}`;
  return run.outlook ? `${run.outlook} (the reminder's local time)` : outlook(run);
}

const why = (run) => {
  const cause = run.reason ?? (run.waitingFor ? waits(run.waitingFor) : '');
  return cause ? `: ${cause}` : '';
};

/** When it will be done, or how far it will get before the window closes. */
function outlook(run) {
  if (!run.eta) return `running${why(run)}; it cannot be told yet when it is done`;
  const [now, eta] = [Date.now(), Date.parse(run.eta)];
  const closes = run.windowEndsAt ? Date.parse(run.windowEndsAt) : Infinity;
  if (eta <= closes) return `done at about ${clock(run.eta, { seconds: false })}, ${ago(run.eta)}${run.windowEndsAt ? `; the window closes ${clock(run.windowEndsAt, { seconds: false })}` : ''}`;
  const left = run.pending + run.sending;
  const inTime = Math.floor(settled(run) + left * Math.max(0, (closes - now) / (eta - now)));
  return `the window closes ${clock(run.windowEndsAt, { seconds: false })}, with about ${number(inTime)} of ${number(run.total)} done`;
}

// ---- what can be done

const resume = async (run, body, said) => {
  await post(path`/v1/runs/${run.id}/resume`, body);
  toast(said);
};

async function pause(run) {
  const reason = await dialog(({ close }) => html`<form @submit=${(event) => { event.preventDefault(); close(event.target.elements.reason.value.trim() || 'a person paused it'); }}>
    <h2>Pause ${run.name}?</h2>
    <p>${count(run.pending, 'chat')} ${run.pending === 1 ? 'waits' : 'wait'} until you resume it. The ${number(run.sending)} being sent to at this moment are finished.</p>
    <label>Why, for others who look <input name="reason" autofocus></label>
    <menu><button type="button" @click=${() => close()}>Cancel</button><button class="primary">Pause with ${number(run.pending)} waiting</button></menu></form>`, { label: `Pause ${run.name}` });
  if (reason === null) return;
  await post(path`/v1/runs/${run.id}/pause`, { reason });
  toast('The run is paused.');
}

async function cancel(run) {
  const yes = await confirm({
    title: `End ${run.name}?`,
    text: html`<p>${count(run.pending, 'chat')} will not be reached. ${number(run.sent)} of ${number(run.total)} have been, and ${number(run.sending)} being sent to at this moment may still be.</p><p>You can send the rest later.</p>`,
    action: `End it without ${count(run.pending, 'chat')}`,
    danger: true,
  });
  if (!yes) return;
  const ended = await post(path`/v1/runs/${run.id}/cancel`);
  toast(ended.sending > 0 ? `The run has ended; ${count(ended.sending, 'message')} on the way may still arrive.` : 'The run has ended.');
}

async function again(run, scope, amount, verb) {
  const yes = await confirm({
    title: `${verb} of ${run.name}?`,
    text: html`<p>The messages go to ${count(amount, 'chat')}. Whoever has got all of them gets nothing again.</p>`,
    action: `Send to ${count(amount, 'chat')}`,
  });
  if (yes) await resume(run, { scope }, 'The run goes on.');
}

/** The rest from another account, because this one is at its limit or broken. */
async function fromAnother(run, accounts) {
  const rest = run.pending + run.skipped + run.cancelled;
  const others = accounts.filter((account) => account.id !== run.account);
  const account = await dialog(({ close }) => html`<form @submit=${(event) => { event.preventDefault(); close(event.target.elements.account.value); }}>
    <h2>Send the rest from another account?</h2>
    <p>${count(rest, 'chat')} ${rest === 1 ? 'was' : 'were'} not tried yet. The other account must be able to write to them under the same ids.</p>
    <label>Account <select name="account">
      ${others.map((other) => html`<option value=${other.id}>${other.id} (${other.channel}, ${other.health})</option>`)}</select></label>
    <menu><button type="button" @click=${() => close()}>Cancel</button><button class="primary">Send to ${count(rest, 'chat')}</button></menu></form>`, { label: 'Send the rest from another account' });
  if (account) await resume(run, { scope: 'pending', account }, `The rest goes out from ${account}.`);
}

/** The buttons of a run. `accounts`: those that could take over; `changed` is called after each. */
export function tools(run, view, accounts, changed) {
  if (!may('send')) return nothing;
  const button = (label, action, kind = '') => html`<button class=${kind} @click=${() => view.act(async () => { await action(); changed(); })}>${label}</button>`;
  const untried = run.skipped + run.cancelled + (isOver(run) ? run.pending : 0);
  return html`
    ${run.status === 'paused' ? button('Resume', () => resume(run, { scope: 'pending' }, 'The run goes on.'), 'primary') : nothing}
    ${['running', 'waiting'].includes(run.status) ? button('Pause', () => pause(run)) : nothing}
    ${run.failed > 0 ? button(`Retry ${number(run.failed)} failed`, () => again(run, 'failed', run.failed, 'Retry what failed')) : nothing}
    ${untried > 0 ? button(`Send the rest (${number(untried)})`, () => again(run, 'pending', untried, 'Send the rest')) : nothing}
    ${untried > 0 && run.failed > 0 ? button(`Send to all ${number(untried + run.failed)} not reached`, () => again(run, 'all', untried + run.failed, 'Send to all not reached')) : nothing}
    ${untried + run.pending > 0 && accounts.some((account) => account.id !== run.account) ? button('Send the rest from another account', () => fromAnother(run, accounts)) : nothing}
    ${isOver(run) ? nothing : button('Cancel', () => cancel(run), 'danger')}`;
}

export const saveTargets = (run, status) => save(
  `${path`/v1/runs/${run.id}/targets`}?format=csv${status ? `&status=${status}` : ''}`,
  `${run.name.replace(/[^\p{L}\p{N} _.-]+/gu, '_')} ${run.createdAt.slice(0, 10)}.csv`);

export const runLink = (run) => html`<a class="whole" href=${to('run', run.id)}>${run.name}</a>`;
