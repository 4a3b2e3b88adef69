import { html } from '../base/view.js';
import { may } from '../base/me.js';
import { to } from '../base/route.js';
import { count, waitingKind } from '../base/words.js';
import { accountAction, check } from './account-actions.js';
import { bulk } from './bulk.js';
import { allLanes, resumeLanes } from './lane-actions.js';
import { at } from './shown.js';

/** What is not well, by cause: [{key, tone, what, why, next, action}], the worst first. */
export function problems({ stats, health, waiting, dead }, view) {
  if (!stats) return [];
  const found = [
    ...ofStore(stats),
    ...stats.accounts.flatMap((account) => ofAccount(account, view)),
    ...others(health, stats),
    ...(waiting?.items ?? []).flatMap((group) => ofWaiting(group, view)),
    ...(dead?.items ?? []).map((group) => ofDead(group, view)),
  ];
  return ['bad', 'warn', ''].flatMap((tone) => found.filter((problem) => problem.tone === tone));
}

const primary = (words, view, action) => (may('admin') ? html`<button class="primary" @click=${() => view.act(action)}>${words}</button>` : '');
const sends = (account) => !account.needsLogin && ['ready', 'degraded'].includes(account.health);
const see = (words, href) => html`<a class="button" href=${href}>${words}</a>`;

function ofStore({ storeDownBecause, durable }) {
  if (storeDownBecause) return [{ key: 'store', tone: 'bad', what: 'The store takes no writes, so nothing is accepted or sent', why: storeDownBecause, next: 'It is tried again by itself.' }];
  return durable ? [] : [{ key: 'store', tone: 'bad', what: 'The store is in memory', why: 'Nothing survives a restart.', next: 'Mend the store and start the server again.' }];
}

function ofAccount(account, view) {
  const found = [];
  const link = html`<a href=${to('accounts', account.id)}>${account.id}</a>`;
  const waits = html`<a href=${to('waiting', null, { account: account.id })}>${count(account.queued, 'message waits', 'messages wait')}</a>`;
  if (account.needsLogin || ['broken', 'unreachable'].includes(account.health)) {
    const how = account.needsLogin ? 'is not logged in' : account.health === 'broken' ? 'is refused by its platform' : 'cannot be reached';
    found.push({
      key: `account ${account.id}`, tone: account.needsLogin ? 'warn' : 'bad', what: html`Account ${link} ${how} since ${at(account.since)}; ${waits}`, why: account.reason,
      next: account.nextProbeAt ? html`The next probe is at ${at(account.nextProbeAt)}.` : account.needsLogin ? 'Somebody must log it in.' : 'It is tried again by itself.',
      action: accountAction(account, view),
    });
  }
  if (account.health === 'paused') {
    found.push({ key: `paused ${account.id}`, tone: 'warn', what: html`Account ${link} is paused since ${at(account.since)}; ${waits}`, why: account.reason, next: 'It stays so until somebody resumes it.', action: accountAction(account, view) });
  }
  if (account.listening.status === 'failing') {
    found.push({
      key: `deaf ${account.id}`, tone: 'bad', what: html`Account ${link} hears nothing since ${at(account.listening.since)}`, why: account.listening.cause,
      next: account.listening.refused ? 'The platform does not let it listen; somebody must help.' : 'It is tried again by itself.', action: primary('Check now', view, () => check(account)),
    });
  }
  return found;
}

/** What the server says of its health that is not said above. */
function others(health, stats) {
  const said = (reason) => reason.startsWith('The store ') || stats.accounts.some((account) => reason.startsWith(`Account ${account.id} is `)
    || reason.startsWith(`Account ${account.id} hears nothing`) || (!sends(account) && reason.startsWith(`Account ${account.id} has a message`)));
  return (health?.reasons ?? []).filter((reason) => !said(reason)).map((reason) => {
    const account = stats.accounts.find(({ id }) => reason.startsWith(`Account ${id} has a message`));
    return account
      ? { key: `old ${account.id}`, tone: 'warn', what: html`A message on account <a href=${to('accounts', account.id)}>${account.id}</a> waits since ${at(account.oldestWaitingAt)}`, next: 'Its lane says what it waits for.', action: see('See its lanes', to('waiting', null, { account: account.id })) }
      : { key: reason, tone: 'warn', what: reason };
  });
}

/** What waits for an account is said with the account; what waits for its turn or its time is well. */
function ofWaiting(group, view) {
  const here = to('waiting', null, { kind: group.kind, account: group.account, cause: group.cause });
  const what = (words) => html`<a href=${here}>${count(group.messages, 'message')}</a> on <a href=${to('accounts', group.account)}>${group.account}</a> ${words}${group.since ? html` since ${at(group.since)}` : ''}`;
  const key = `waiting ${group.kind} ${group.account} ${group.cause}`;
  if (group.kind === 'retry') {
    return [{ key, tone: 'warn', what: what(group.messages === 1 ? 'did not go out and is tried again' : 'did not go out and are tried again'), why: group.cause, next: group.until ? html`The first is due at ${at(group.until)}.` : 'The first is due now.', action: see('See them', here) }];
  }
  if (group.kind === 'lanePaused') {
    return [{ key, tone: 'warn', what: html`<a href=${here}>${count(group.lanes ?? group.messages, 'lane')}</a> on <a href=${to('accounts', group.account)}>${group.account}</a> ${group.lanes === 1 ? 'is paused and holds' : 'are paused and hold'} messages${group.since ? html` since ${at(group.since)}` : ''}`, why: group.cause, next: 'Nothing goes out there until somebody resumes.', action: primary('Resume…', view, async () => resumeLanes(await allLanes({ state: 'paused', account: group.account }, (lane) => lane.pauseReason === group.cause))) }];
  }
  return group.kind === 'otherNode' || group.kind === 'receipt' ? [{ key, tone: 'warn', what: what(waitingKind(group.kind)), why: group.cause, action: see('See them', here) }] : [];
}

function ofDead(group, view) {
  const filter = { account: group.account, status: group.status, reason: group.reason };
  const open = group.messages - (group.replayed ?? 0);
  return {
    key: `dead ${group.account} ${group.status} ${group.reason}`, tone: '', what: html`<a href=${to('dead-letters', null, filter)}>${count(group.messages, 'dead letter')}</a> on <a href=${to('accounts', group.account)}>${group.account}</a>: ${group.reason ?? group.status}, the last at ${at(group.newestAt)}`,
    why: group.error, next: open === 0 ? 'All were replayed.' : 'They stay until somebody replays or discards them.',
    action: open === 0 ? see('See them', to('dead-letters', null, filter)) : primary('Replay…', view, () => bulk('/v1/dead-letters/replay', filter, { verb: 'Replay', done: 'replayed' })),
  };
}
