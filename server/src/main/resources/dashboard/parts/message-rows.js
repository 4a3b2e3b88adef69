import { html, nothing, repeat } from '../base/view.js';
import { to } from '../base/route.js';
import { count } from '../base/words.js';
import { at, badge, since } from './shown.js';
import { waiting } from './waits.js';

/** What a message says, or what it brings. */
export const gist = (message) => message.text
  || (message.media?.length ? message.media.map((media) => media.filename ?? media.url ?? media.kind).join(', ') : 'data for the channel only');

const ENDED_BADLY = ['failed', 'expired', 'held'];

/** Why it waits, why it ended badly, or how far it got by the platform's word. */
function standing(message) {
  if (message.waitingFor) return waiting(message.waitingFor);
  if (ENDED_BADLY.includes(message.status)) return html`<span class="waits">${message.error ?? message.reason}</span>`;
  return message.receiptStatus ? html`<span class="waits">the platform says: ${message.receiptStatus}</span>` : nothing;
}

/**
 * A table of messages; each row opens its message.
 *
 * @param chosen boxes at the rows, or null
 * @param tools what can be done with one message, or null
 * @param when what the last column shows: createdAt or endedAt
 */
export const messageTable = (messages, { chosen = null, tools = null, when = 'createdAt', label = 'Messages' } = {}) => html`
  <div class="scroll"><table class="cards even" aria-label=${label}>
    <thead><tr>
      ${chosen ? html`<th class="w-box">${chosen.allBox(messages)}</th>` : nothing}
      <th class="w-short">Status</th><th>Message</th><th class="w-name">Chat</th><th class="num w-number">Attempts</th><th class="w-short">${when === 'endedAt' ? 'Ended' : 'Accepted'}</th>${tools ? html`<th class="w-tools"><span class="unseen">Actions</span></th>` : nothing}
    </tr></thead>
    <tbody data-rows>${repeat(messages, (message) => message.id, (message) => html`
      <tr data-row class=${chosen?.has(message) ? 'chosen' : ''}>
        ${chosen ? html`<td class="tight">${chosen.box(message, `Choose the message to ${message.to}`)}</td>` : nothing}
        <td class="tight" data-name="Status">${badge(message.status, message.reason)}${message.replayedAs ? html` <span class="badge">replayed</span>` : nothing}</td>
        <td class="main" data-name="Message"><div><a class="whole clip" href=${to('messages', message.id)}>${gist(message)}</a>${standing(message)}</div></td>
        <td class="chat-name" data-name="Chat"><div><a class="plain-link clip" href=${to('messages', null, { to: message.to, account: message.account })}>${message.to}</a><span class="waits">${message.account}</span></div></td>
        <td class="num" data-name="Attempts">${message.attempts}</td>
        <td class="when" data-name=${when === 'endedAt' ? 'Ended' : 'Accepted'}><div>${at(message[when])}<br><span class="waits">${since(message[when])}</span></div></td>
        ${tools ? html`<td class="tools">${tools(message)}</td>` : nothing}
      </tr>`)}</tbody>
  </table></div>`;

/** How far a search has looked, where messages themselves had to be read. */
export const looked = (list) => (list.page?.scanned === undefined || list.page?.scanned === null ? nothing : html`
  <p class="empty quiet" role="status">Looked through ${count(list.page.scanned, 'message')}${list.page.scannedUntil ? html`, back to ${at(list.page.scannedUntil)}` : nothing}.
    ${list.more ? 'Older ones were not looked at yet; an account, a chat or a time makes it quicker.' : 'That is all there are.'}</p>`);
