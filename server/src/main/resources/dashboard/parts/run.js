import { html, nothing } from '/lib/lit-html/lit-html.js';
import { path, post, query, save } from '../base/api.js';
import { may } from '../base/me.js';
import { to } from '../base/route.js';
import { count, number, sentence } from '../base/words.js';
import { stateOf } from './account.js';
import { confirm, dialog } from './dialog.js';
import { at, since } from './shown.js';
import { toast } from './toast.js';
import { waits } from './waits.js';

/** What all pages say of a run, and what can be done with it. */

const ENDED = ['success', 'partial', 'failed', 'cancelled'];

/** Runs that have not ended. */
export const UNDER_WAY = 'waiting,running,paused';

export const isOver = (run) => ENDED.includes(run.status);

/** How many targets were reached, or could not be. */
const tried = (run) => run.sent + run.failed;

/** In full per cent: only what is done is a hundred. */
export const percent = (run) => Math.floor((100 * tried(run)) / Math.max(1, run.total));

/** Who was reached, who could not be, and who was not tried and will not be any more. */
export function progress(run) {
  const total = Math.max(1, run.total);
  const share = (amount) => `${(100 * amount) / total}%`;
  const given = run.skipped + run.cancelled + (isOver(run) ? run.pending : 0);
  return html`<svg class="bar" role="progressbar" aria-valuemin="0" aria-valuemax=${run.total} aria-valuenow=${tried(run)} aria-label=${`Progress: ${reached(run)}`}>
    <rect class="good" width=${share(run.sent)} height="100%"></rect>
    <rect class="bad" x=${share(run.sent)} width=${share(run.failed)} height="100%"></rect>
    <rect class="given" x=${share(total - given)} width=${share(given)} height="100%"></rect></svg>`;
}

/** "412 of 1,000 chats reached, 3 failed". */
export function reached(run) {
  const others = ['failed', 'skipped', 'cancelled'].filter((state) => run[state] > 0).map((state) => `${number(run[state])} ${state}`);
  return [`${number(run.sent)} of ${count(run.total, 'chat')} reached`, ...others].join(', ');
}

/** What a run does or waits for and until when, or how it ended: a sentence. */
export function standing(run) {
  if (isOver(run)) return sentence(run.summary ?? run.errorSummary ?? reached(run));
  const cause = run.reason ?? (run.waitingFor ? waits(run.waitingFor) : null);
  if (run.status !== 'running') return html`${run.status === 'paused' ? 'Paused' : 'Waits'}${run.until ? html` until ${at(run.until)}` : nothing}${cause ? html`: ${cause}` : nothing}.`;
  return run.expected ? outlook(run, run.expected) : html`Running${cause ? html`: ${cause}` : nothing}; it cannot be told yet when it is done.`;
}

/** When it will be done, or how far it will get before its hours are over. */
function outlook(run, { startsAt, closesAt, doneAt, reached: then }) {
  const opens = startsAt ? html`The window opens at ${at(startsAt)}. ` : nothing;
  const about = `about ${number(then)} of ${number(run.total)}`;
  if (!closesAt) return html`${opens}${doneAt ? html`Done at about ${at(doneAt)}, ${since(doneAt)}` : 'It goes on'}, with ${about} reached.`;
  return html`${opens}Its hours end at ${at(closesAt)}, with ${about} reached${doneAt ? html`; all are at about ${at(doneAt)}` : nothing}.`;
}

// ---- what can be done

const resume = async (run, body, said) => {
  await post(path`/v1/runs/${run.id}/resume`, body);
  toast(said);
};

export const goOn = (run) => resume(run, { scope: 'pending' }, 'The run goes on.');

async function pause(run) {
  const reason = await dialog(({ close }) => html`<form @submit=${(event) => { event.preventDefault(); close(event.target.elements.reason.value.trim() || 'a person paused it'); }}>
    <h2>Pause ${run.name}?</h2>
    <p>${count(run.pending, 'chat')} ${run.pending === 1 ? 'waits' : 'wait'} until you resume it. The ${number(run.sending)} being sent to at this moment are finished.</p>
    <label>Why, for others who look <input name="reason" autofocus></label>
    <menu><button type="button" @click=${() => close()}>Do nothing</button><button class="primary">Pause with ${number(run.pending)} waiting</button></menu></form>`, { label: `Pause ${run.name}` });
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

/** Those that were not reached, by what may be done about them: [scope, how many, words]. */
function missing(run) {
  const rest = run.pending + run.skipped + run.cancelled;
  return [
    ['pending', rest, 'not tried yet'],
    ['failed', run.pending > 0 ? 0 : run.failed, 'that failed'], // what is pending would go along
    ['all', rest > 0 && run.failed > 0 ? rest + run.failed : 0, 'not reached'],
  ].filter(([, amount]) => amount > 0);
}

/** Other accounts that reach the same chats: those on the run's channel. */
function others(run, accounts) {
  const channel = accounts.find((account) => account.id === run.account)?.channel;
  return accounts.filter((account) => account.id !== run.account && account.channel === channel);
}

/** The rest from another account, because this one is at its limit or broken. */
async function fromAnother(run, accounts) {
  const choices = missing(run);
  const asked = await dialog(({ close, update }) => {
    const form = () => document.querySelector('dialog[open] form');
    const chosen = choices.find(([scope]) => scope === form()?.elements.scope.value) ?? choices[0];
    return html`<form @submit=${(event) => { event.preventDefault(); close({ scope: event.target.elements.scope.value, account: event.target.elements.account.value }); }}>
    <h2>Send from another account?</h2>
    <p>Whoever has got all of the messages gets nothing again. The other account must be able to write to the chats under the same ids.</p>
    <div class="form">
    <label>To whom <select name="scope" @change=${update}>${choices.map(([scope, amount, words]) => html`<option value=${scope}>${count(amount, 'chat')} ${words}</option>`)}</select></label>
    <label>Account <select name="account">
      ${others(run, accounts).map((other) => html`<option value=${other.id}>${other.id} (${stateOf(other)})</option>`)}</select></label></div>
    <menu><button type="button" @click=${() => close()}>Do nothing</button><button class="primary">Send to ${count(chosen[1], 'chat')}</button></menu></form>`;
  }, { label: 'Send from another account' });
  if (asked) await resume(run, asked, `It goes on from ${asked.account}.`);
}

/** The buttons of a run. `accounts`: those that could take over; `changed` is called after each. */
export function tools(run, view, accounts, changed) {
  if (!may('send')) return nothing;
  const button = (label, action, kind = '') => html`<button class=${kind} @click=${() => view.act(async () => { await action(); changed(); })}>${label}</button>`;
  const untried = run.skipped + run.cancelled + (isOver(run) ? run.pending : 0);
  return html`
    ${run.status === 'paused' ? button('Resume', () => goOn(run), 'primary') : nothing}
    ${['running', 'waiting'].includes(run.status) ? button('Pause…', () => pause(run)) : nothing}
    ${run.failed > 0 ? button(`Retry ${number(run.failed)} failed…`, () => again(run, 'failed', run.failed, 'Retry what failed')) : nothing}
    ${untried > 0 ? button(`Send the rest (${number(untried)})…`, () => again(run, 'pending', untried, 'Send the rest')) : nothing}
    ${untried > 0 && run.failed > 0 ? button(`Send to all ${number(untried + run.failed)} not reached…`, () => again(run, 'all', untried + run.failed, 'Send to all not reached')) : nothing}
    ${missing(run).length > 0 && others(run, accounts).length > 0 ? button('From another account…', () => fromAnother(run, accounts)) : nothing}
    ${isOver(run) ? nothing : button('Cancel…', () => cancel(run), 'danger')}`;
}

export const saveTargets = (run, { status, reason } = {}) => save(
  query(path`/v1/runs/${run.id}/targets`, { format: 'csv', status, reason }),
  `${run.name.replace(/[^\p{L}\p{N} _.-]+/gu, '_')} ${run.createdAt.slice(0, 10)}.csv`);

export const runLink = (run) => html`<a class="whole" href=${to('run', run.id)}>${run.name}</a>`;
