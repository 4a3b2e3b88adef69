import { html, nothing } from '../base/view.js';
import { may } from '../base/me.js';
import { to } from '../base/route.js';
import { count, number, waitingKind } from '../base/words.js';
import { check, checkAll, resume, resumeAll } from './account-actions.js';
import { stateOf } from './account.js';
import { bulk } from './bulk.js';
import { replayAll } from './inbound.js';
import { pauseOrResume } from './lane-actions.js';
import { goOn, reached } from './run.js';
import { at } from './shown.js';

/**
 * What is not well, by cause: [{key, tone, needed, what, why, next, action}], the worst first; needed:
 * it stays so until a person does something. What has one cause on many accounts is one problem.
 */
export function problems({ stats, health, waiting, dead, inbound, runs }, view) {
  if (!stats) return [];
  const found = [
    ...ofStore(stats),
    ...ofAccounts(stats.accounts, view),
    ...others(health, stats),
    ...ofRuns(runs?.items ?? [], view),
    ...ofWaiting(waiting?.items ?? [], view),
    ...ofInbound(inbound, view),
    ...ofDead(dead?.items ?? [], view),
  ];
  return ['bad', 'warn', ''].flatMap((tone) => found.filter((problem) => problem.tone === tone));
}

const SHOWN = 4;

/** The one click; `key`: of the problem. It is not taken twice, and the hand is off it while it is done. */
const act = (role, words, view, key, action) => (may(role) ? html`<button class="primary" ?disabled=${view.isBusy(key)} @click=${() => view.once(key, action)}>${words}</button>` : '');
const see = (words, href) => html`<a class="button" href=${href}>${words}</a>`;
const link = (id) => html`<a href=${to('accounts', id)}>${id}</a>`;

/** Those that belong together, in the order in which they came. */
const grouped = (items, key) => [...Map.groupBy(items, key).values()];

/** A cause without the name of the account that it was said to. */
const general = (cause, id) => cause?.replaceAll(id, '…') ?? null;

/** "Account a", "Accounts a, b and 10 more". */
function names(ids, all) {
  if (ids.length === 1) return html`Account ${link(ids[0])}`;
  const rest = ids.length - SHOWN;
  return html`${number(ids.length)} accounts (${ids.slice(0, SHOWN).map((id, i) => html`${i > 0 ? ', ' : nothing}${link(id)}`)}${rest > 0 ? html` <a href=${all}>and ${number(rest)} more</a>` : nothing})`;
}

const earliest = (moments) => moments.filter(Boolean).sort()[0] ?? null;
const sum = (items, amount) => items.reduce((all, item) => all + (amount(item) ?? 0), 0);

function ofStore({ storeDownBecause, durable }) {
  if (storeDownBecause) return [{ key: 'store', tone: 'bad', what: 'The store takes no writes, so nothing is accepted or sent', why: storeDownBecause, next: 'It is tried again by itself.' }];
  return durable ? [] : [{ key: 'store', tone: 'bad', needed: true, what: 'The store is in memory', why: 'Nothing survives a restart.', next: 'Mend the store and start the server again.' }];
}

// ---- accounts

/** States in which an account sends nothing; `next` if nothing is known of a probe. */
const STATES = {
  broken: { tone: 'bad', next: 'It is tried again by itself.' },
  unreachable: { tone: 'bad', next: 'It is tried again by itself.' },
  'logged out': { tone: 'warn', needed: true, next: 'Somebody must log it in.' },
  paused: { tone: 'warn', needed: true, next: 'It stays so until somebody resumes it.' },
};

function ofAccounts(accounts, view) {
  const silent = accounts.filter((account) => STATES[stateOf(account)]);
  const deaf = accounts.filter((account) => account.listening.status === 'failing' && !(STATES[stateOf(account)] && account.listening.cause === account.reason));
  return [
    ...grouped(silent, (account) => `${stateOf(account)} ${general(account.reason, account.id)}`).map((some) => ofSilent(some, view)),
    ...grouped(deaf, (account) => `${account.listening.refused} ${general(account.listening.cause, account.id)}`).map((some) => ofDeaf(some, view)),
  ];
}

function ofSilent(accounts, view) {
  const [first] = accounts;
  const name = stateOf(first);
  const state = STATES[name];
  const one = accounts.length === 1;
  const ids = accounts.map((account) => account.id);
  const queued = sum(accounts, (account) => account.queued);
  const deaf = accounts.some((account) => account.listening.status === 'failing' && account.listening.cause === account.reason);
  const probe = earliest(accounts.map((account) => account.nextProbeAt));
  const key = `${name} ${ids.join(' ')}`;
  return {
    key, tone: state.tone, needed: state.needed,
    what: html`${names(ids, to('accounts', null, { health: name }))} ${one ? 'is' : 'are'} ${name}${deaf ? ` and ${one ? 'hears' : 'hear'} nothing` : ''} since ${at(earliest(accounts.map((account) => account.since)))};
      <a href=${to('waiting', null, one ? { account: first.id } : {})}>${count(queued, 'message waits', 'messages wait')}</a>`,
    why: one ? first.reason : general(first.reason, first.id),
    next: probe ? html`The next probe is at ${at(probe)}.` : one ? state.next : '',
    action: helping(name, accounts, view, key),
  };
}

/** The one click that helps. */
function helping(name, accounts, view, key) {
  const [first] = accounts;
  const one = accounts.length === 1;
  if (!may('admin')) return '';
  if (name === 'logged out') return see('Log in…', one ? to('accounts', first.id) : to('accounts', null, { health: name }));
  if (name === 'paused') return act('admin', one ? 'Resume' : `Resume ${number(accounts.length)}`, view, key, () => (one ? resume(first) : resumeAll(accounts)));
  return act('admin', one ? 'Check now' : `Check ${number(accounts.length)}`, view, key, () => (one ? check(first) : checkAll(accounts)));
}

function ofDeaf(accounts, view) {
  const [first] = accounts;
  const one = accounts.length === 1;
  const ids = accounts.map((account) => account.id);
  const key = `deaf ${ids.join(' ')}`;
  return {
    key, tone: 'bad', needed: first.listening.refused,
    what: html`${names(ids, to('accounts', null, { health: 'hears nothing' }))} ${one ? 'hears' : 'hear'} nothing since ${at(earliest(accounts.map((account) => account.listening.since)))}`,
    why: one ? first.listening.cause : general(first.listening.cause, first.id),
    next: first.listening.refused ? 'The platform does not let it listen; somebody must help.' : 'It is tried again by itself.',
    action: act('admin', one ? 'Check now' : `Check ${number(accounts.length)}`, view, key, () => (one ? check(first) : checkAll(accounts))),
  };
}

/** What the server says of its health that is not said above. */
function others(health, stats) {
  const sends = (account) => ['ready', 'degraded'].includes(stateOf(account));
  const said = (reason) => reason.startsWith('The store ') || stats.accounts.some((account) => reason.startsWith(`Account ${account.id} is `)
    || reason.startsWith(`Account ${account.id} hears nothing`) || (!sends(account) && reason.startsWith(`Account ${account.id} has a message`)));
  return (health?.reasons ?? []).filter((reason) => !said(reason)).map((reason) => {
    const account = stats.accounts.find(({ id }) => reason.startsWith(`Account ${id} has a message`));
    return account
      ? { key: `old ${account.id}`, tone: 'warn', what: html`A message on account ${link(account.id)} waits since ${at(account.oldestWaitingAt)}`, next: 'Its lane says what it waits for.', action: see('See its lanes', to('waiting', null, { account: account.id })) }
      : { key: reason, tone: 'warn', what: reason };
  });
}

// ---- what was stopped, what waits, what has ended badly

/** Runs that somebody has paused, or that have paused themselves. */
const ofRuns = (runs, view) => runs.map((run) => ({
  key: `run ${run.id}`, tone: 'warn', needed: true,
  what: html`The run <a href=${to('run', run.id)}>${run.name}</a> is paused; ${reached(run)}`, why: run.reason,
  next: run.waitingFor ? 'It goes on when its account works again.' : 'Nothing more goes out until somebody resumes it.',
  action: act('send', 'Resume', view, `run ${run.id}`, () => goOn(run)),
}));

/** What waits for an account is said with the account; what waits for its turn or its time is well. */
function ofWaiting(groups, view) {
  const KINDS = ['retry', 'lanePaused', 'otherNode', 'receipt'];
  return grouped(groups.filter((group) => KINDS.includes(group.kind)), (group) => `${group.kind} ${general(group.cause, group.account)}`).map((some) => ofGroups(some, view));
}

function ofGroups(groups, view) {
  const [{ kind, account, cause }] = groups;
  const one = groups.length === 1;
  const filters = { kind, account: one ? account : null, cause };
  const here = to('waiting', null, filters);
  const messages = sum(groups, (group) => group.messages);
  const lanes = sum(groups, (group) => group.lanes);
  const on = one ? html` on ${link(account)}` : ` on ${count(groups.length, 'account')}`;
  const since = earliest(groups.map((group) => group.since));
  const from = since ? html` since ${at(since)}` : nothing;
  const problem = { key: `waiting ${kind} ${groups.map((group) => group.account).join(' ')} ${cause}`, tone: 'warn', why: cause };
  if (kind === 'lanePaused') {
    return { ...problem, what: html`<a href=${here}>${count(lanes || messages, 'lane')}</a>${on} ${lanes === 1 ? 'is paused and holds' : 'are paused and hold'} messages${from}`, next: 'Nothing goes out there until somebody resumes.',
      action: act('admin', 'Resume…', view, problem.key, () => pauseOrResume('resume', { state: 'paused', waitingFor: kind, account: filters.account, cause })) };
  }
  const what = (words) => html`<a href=${here}>${count(messages, 'message')}</a>${on} ${words}${from}`;
  if (kind === 'retry') {
    const until = earliest(groups.map((group) => group.until));
    return { ...problem, what: what(messages === 1 ? 'did not go out and is tried again' : 'did not go out and are tried again'), next: until ? html`The first is due at ${at(until)}.` : 'The first is due now.', action: see('See them', here) };
  }
  return { ...problem, what: what(waitingKind(kind)), action: see('See them', here) };
}

const kept = (amount) => (amount === 1 ? 'It stays until somebody replays or discards it.' : 'They stay until somebody replays or discards them.');

/** What people wrote and nobody could handle. */
function ofInbound(page, view) {
  const open = page?.items.filter((message) => !message.replayedAs) ?? [];
  if (open.length === 0) return [];
  const here = to('conversations', null, { state: 'failed' });
  return [{
    key: 'inbound', tone: 'warn', needed: true, what: html`<a href=${here}>${count(open.length, 'message')}${page.next ? ' or more' : ''}</a> from people could not be handled, ${open.length === 1 ? 'received' : 'the last received'} at ${at(open[0].receivedAt)}`,
    why: open[0].error, next: kept(open.length), action: may('admin') ? act('admin', 'Replay…', view, 'inbound', () => replayAll({})) : see('See them', here),
  }];
}

const ofDead = (groups, view) => grouped(groups, (group) => `${group.status} ${group.reason} ${general(group.error, group.account)}`).map((some) => {
  const [{ status, reason, error }] = some;
  const filters = some.map((group) => ({ account: group.account, status, reason }));
  const here = to('dead-letters', null, some.length === 1 ? filters[0] : { status, reason });
  const messages = sum(some, (group) => group.messages);
  const open = messages - sum(some, (group) => group.replayed);
  const key = `dead ${status} ${reason} ${some.map((group) => group.account).join(' ')}`;
  return {
    key, tone: '', open,
    what: html`<a href=${here}>${count(messages, 'dead letter')}</a> on ${some.length === 1 ? link(some[0].account) : count(some.length, 'account')}: ${reason ?? status}, the last at ${at(some.map((group) => group.newestAt).sort().at(-1))}`,
    why: error, next: open === 0 ? 'All were replayed.' : kept(open),
    action: open === 0 || !may('admin') ? see('See them', here) : act('admin', 'Replay…', view, key, () => bulk('/v1/dead-letters/replay', filters, { verb: 'Replay', done: 'replayed' })),
  };
});
