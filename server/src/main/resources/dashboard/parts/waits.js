import { html, nothing } from '/lib/lit-html/lit-html.js';
import { to } from '../base/route.js';
import { at } from './shown.js';

const without = (text) => text?.replace(/[.!]$/, '');

/** Why something waits and until when, in words that go on after others; nothing if it waits for nothing. */
export function waits(waitingFor) {
  if (!waitingFor) return nothing;
  const { kind, until, since, messageId } = waitingFor;
  const cause = without(waitingFor.cause);
  const because = cause ? `: ${cause}` : '';
  const from = since ? html` since ${at(since)}` : nothing;
  const then = (words) => (until ? html`; ${words} ${at(until)}` : nothing);
  return {
    pace: () => (until ? html`may go at ${at(until)}${because}` : 'waits for its turn'),
    retry: () => html`${until ? html`tried again at ${at(until)}` : 'tried again now'}${cause ? `, after: ${cause}` : ''}`,
    behind: () => html`waits behind ${messageId ? html`<a href=${to('messages', messageId)}>another message to this chat</a>` : 'another message'}`,
    lanePaused: () => html`the lane is paused${from}${because}`,
    accountPaused: () => html`the account is paused${from}${because}`,
    accountBroken: () => html`the account is broken${from}${because}${then('asked again at')}`,
    unreachable: () => html`the account cannot send${from}${because}${then('next probe at')}`,
    storeDown: () => html`the store takes no writes${from}${because}`,
    window: () => (until ? html`the window opens at ${at(until)}` : 'waits for its window'),
    quietHours: () => (until ? html`quiet hours until ${at(until)}` : 'quiet hours'),
    sendAt: () => (until ? html`to be sent at ${at(until)}` : 'to be sent now'),
    otherNode: () => cause ?? 'no node works the account',
    receipt: () => html`${cause}${then('goes on at')}`,
  }[kind]?.() ?? `${kind}${because}`;
}

/** The same in small, below what it is about. */
export const waiting = (waitingFor) => (waitingFor ? html`<span class="waits">${waits(waitingFor)}</span>` : nothing);
