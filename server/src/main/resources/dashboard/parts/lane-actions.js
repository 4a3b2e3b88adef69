import { html } from '../base/view.js';
import { bulk } from './bulk.js';

/**
 * What a person can do with many lanes at once: those of a filter as the server knows it, or
 * {lanes: [{account, to}]}. Each counts first, asks with the number, shows how far it is, can be
 * stopped, and says what was refused. Resolves with how many were done.
 */

const byLane = (answer) => ({ ...answer, refused: (answer.refused ?? []).map(({ account, to, reason }) => ({ id: `${to} on ${account}`, reason })) });

export const pauseOrResume = (verb, selection) => (verb === 'pause'
  ? bulk('/v1/lanes/pause', selection, { verb: 'Pause', done: 'paused', one: 'lane', why: true, read: byLane, text: html`<p>Nothing is sent to these chats until somebody resumes them. Messages to them wait.</p>` })
  : bulk('/v1/lanes/resume', selection, { verb: 'Resume', done: 'resumed', one: 'lane', read: byLane, text: html`<p>What waits in them goes out then, as fast as the account allows.</p>` }));

export const retryHeads = (selection) => bulk('/v1/lanes/retry', selection, {
  verb: 'Retry', done: 'tried now', one: 'lane', read: byLane, text: html`<p>The first message of each lane is tried now instead of when it is due.</p>`,
});

export const cancelMessages = (selection) => bulk('/v1/lanes/cancel', selection, {
  verb: 'Cancel', done: 'cancelled', danger: true, text: html`<p>These are all queued messages of the lanes, also those behind the first. They are not sent then; this cannot be undone.</p>`,
});
