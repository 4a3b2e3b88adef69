import { html, nothing } from '../base/view.js';
import { count, tone } from '../base/words.js';
import { at } from './shown.js';
import { waits } from './waits.js';

/** What happened to a message, the oldest first, and what happens next. */

const OUTCOMES = {
  delivered: 'arrived', accepted: 'was taken by the platform', throttled: 'was told to wait', unreachable: 'found nobody to talk to', 'media-unreachable': 'could not fetch a file',
  'not-sent': 'did not go out', unknown: 'went out, and nobody knows whether it arrived', hold: 'may have arrived in part', repairable: 'was mended and tried again at once',
  rejected: 'was rejected', 'account-broken': 'found the account refused', unreadable: 'could not read what was stored', late: 'came too late', 'receipt-failed': 'had been taken, and failed later',
};

function attempts(message) {
  const several = message.parts.length > 1;
  return message.history.map((entry) => ({
    at: entry.at,
    tone: ['delivered', 'accepted'].includes(entry.outcome) ? 'good' : 'warn',
    what: `Attempt ${entry.attempt}${several && entry.part !== null && entry.part !== undefined ? `, part ${entry.part + 1}` : ''} ${OUTCOMES[entry.outcome] ?? `came to ${entry.outcome}`}`,
    why: entry.error,
    next: entry.nextAt,
  }));
}

/** That a part failed later is in the history, too. */
const isInHistory = (message, receipt) => receipt.state === 'failed' && message.history.some((entry) => entry.outcome === 'receipt-failed');

const receipts = (message) => message.receipts.filter((receipt) => receipt.state && receipt.at && !isInHistory(message, receipt)).map((receipt) => ({
  at: receipt.at,
  tone: receipt.state === 'failed' ? 'bad' : 'good',
  what: `The platform says of ${message.parts.length > 1 ? `part ${receipt.part + 1}` : 'it'}: ${receipt.state}`,
  why: receipt.detail,
}));

const ENDS = {
  delivered: 'Delivered', failed: 'Failed', expired: 'Expired: it was too old to be sent', held: 'Held: nobody knows whether it arrived, and it is not sent again by itself',
  cancelled: 'Cancelled',
};

function end(message) {
  if (!message.endedAt) return [];
  const tried = message.attempts > 0 ? `, after ${count(message.attempts, 'attempt')}` : '';
  return [{ at: message.endedAt, tone: tone(message.status), what: `${ENDS[message.status] ?? message.status}${tried}`, why: message.status === 'delivered' ? null : [message.error, message.reason && `(${message.reason})`].filter(Boolean).join(' ') }];
}

export function timeline(message) {
  const happened = [
    { at: message.createdAt, tone: 'good', what: message.replayOf ? 'Accepted, as a replay' : 'Accepted', why: message.sendAt ? html`to be sent at ${at(message.sendAt)}` : null },
    ...[...attempts(message), ...receipts(message), ...end(message)].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)),
  ];
  return html`<ol class="timeline">
    ${happened.map((each) => html`<li class=${each.tone}>${at(each.at)}<div>${each.what}${each.why ? html`<div class="waits">${each.why}</div>` : nothing}
      ${each.next ? html`<div class="waits">then due again at ${at(each.next)}</div>` : nothing}</div></li>`)}
    ${next(message)}
  </ol>`;
}

function next(message) {
  if (message.endedAt) return nothing;
  return html`<li class="next"><span>next</span><div><div class="capital">${message.status === 'sending' && !message.waitingFor ? 'it is being sent' : message.waitingFor ? waits(message.waitingFor) : 'it goes out as soon as it is its turn'}.</div>
    ${message.expiresAt ? html`<div class="waits">If it cannot be sent by ${at(message.expiresAt)}, it expires and becomes a dead letter.</div>` : nothing}</div></li>`;
}
