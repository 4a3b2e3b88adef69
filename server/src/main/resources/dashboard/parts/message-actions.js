import { html } from '../base/view.js';
import { path, post, remove } from '../base/api.js';
import { whoLooks } from '../base/me.js';
import { confirm, dialog } from './dialog.js';
import { toast, unlessUndone } from './toast.js';

/** What a person can do with one message. Each says what came of it. */

export async function retry(message) {
  await post(path`/v1/messages/${message.id}/retry`);
  toast('It is tried now.');
}

export async function cancel(message) {
  const yes = await confirm({
    title: 'Cancel 1 message?', action: 'Cancel 1 message', danger: true,
    text: html`<p>It is not sent then. To ${message.to} on ${message.account}.</p>`,
  });
  if (!yes) return false;
  await post(path`/v1/messages/${message.id}/cancel`);
  toast('It is cancelled.');
  return true;
}

/** Sends a dead letter again as it is; resolves with the new message. */
export async function replay(message) {
  const replayed = await post(path`/v1/dead-letters/${message.id}/replay`);
  toast('It is sent again, as a new message.');
  return replayed;
}

/** Deletes a dead letter in some seconds, unless the person takes it back. */
export function discard(message, { then, undone }) {
  unlessUndone(`The message to ${message.to.slice(0, 60)} is discarded.`, async () => {
    try {
      await remove(path`/v1/dead-letters/${message.id}`);
      await then?.();
    } catch (problem) {
      toast(problem.message, { bad: true });
      undone?.();
    }
  }, 8, undone);
}

/** Tries the first message of a lane now. */
export async function retryHead({ headId }) {
  await post(path`/v1/messages/${headId}/retry`);
  toast('Its first message is tried now.');
}

/** Asks why lanes are paused; null if they are not to be. */
export const askWhy = (action, text) => dialog(({ close }) => html`
  <form method="dialog" @submit=${(event) => { event.preventDefault(); close(event.target.elements.reason.value.trim()); }}>
    <h2>${action}?</h2>
    <div class="prose"><p>${text}</p></div>
    <label>Why (shown wherever it waits) <input name="reason" maxlength="200" autocomplete="off"></label>
    <menu><button type="button" @click=${() => close(null)}>Do nothing</button><button class="primary">${action}</button></menu>
  </form>`, { label: action });

/** Resolves with the lane's state, or null if nobody wanted it. */
export async function pauseLane({ account, to }) {
  const reason = await askWhy('Pause 1 lane', `Nothing is sent to ${to} on ${account} until somebody resumes it. Messages to it wait.`);
  if (reason === null) return null;
  const state = await post('/v1/lanes/pause', { account, to, ...(reason ? { reason } : {}) });
  toast('The lane is paused.');
  return state;
}

export async function resumeLane({ account, to }) {
  const state = await post('/v1/lanes/resume', { account, to });
  toast('The lane goes on.');
  return state;
}

const FIELDS = ['account', 'to', 'text', 'format', 'media', 'threadId', 'replyToId', 'silent', 'channelData', 'ordering', 'priority', 'sendAt', 'expiresIn', 'maxAttempts', 'bestEffort', 'onUnknown', 'sessionId', 'metadata'];
const isEmpty = (value) => value === null || value === undefined || value === false || (typeof value === 'object' && Object.keys(value).length === 0);

/** A message as a request that anybody can send; without its key, or it would be this message again. */
function asCurl(message) {
  const request = Object.fromEntries(FIELDS.filter((name) => !isEmpty(message[name])).map((name) => [name, message[name]]));
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const token = whoLooks().tokensNeeded ? ' \\\n  -H "Authorization: Bearer $POSTRIDER_TOKEN"' : '';
  return `curl ${quoted(`${location.origin}/v1/messages`)} \\\n  -H 'Content-Type: application/json'${token} \\\n  -d ${quoted(JSON.stringify(request))}`;
}

export async function copyAsCurl(message) {
  const command = asCurl(message);
  try {
    await navigator.clipboard.writeText(command);
    toast('Copied. It sends the same message once more; a token is not in it.');
  } catch {
    await dialog(({ close }) => html`<h2>Copy as curl</h2><pre tabindex="0">${command}</pre>
      <menu><button class="primary" @click=${() => close()}>Close</button></menu>`, { label: 'Copy as curl', wide: true });
  }
}
