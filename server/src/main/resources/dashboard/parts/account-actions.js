import { html, nothing } from '../base/view.js';
import { path, post } from '../base/api.js';
import { may } from '../base/me.js';
import { to } from '../base/route.js';
import { toast } from './toast.js';

/** Asks the platform whether it takes the account, and says what it answered. */
export async function check(account) {
  const answer = await post(path`/v1/accounts/${account.id}/check`);
  const well = answer.result === 'healthy';
  toast(`${account.id} is ${answer.result}${answer.identity ? ` as ${answer.identity}` : ''}${answer.cause ? `: ${answer.cause}` : ''}.`, { bad: !well });
}

export async function resume(account) {
  await post(path`/v1/accounts/${account.id}/resume`);
  toast(`${account.id} sends again.`);
}

/** Asks for several, one after the other, and says how many are taken now. */
export async function checkAll(accounts) {
  let well = 0;
  for (const { id } of accounts) {
    const { result } = await post(path`/v1/accounts/${id}/check`);
    if (result === 'healthy') well += 1;
  }
  toast(`${well} of ${accounts.length} accounts are healthy.`, { bad: well < accounts.length });
}

export async function resumeAll(accounts) {
  for (const { id } of accounts) await post(path`/v1/accounts/${id}/resume`);
  toast(`${accounts.length} accounts send again.`);
}

/** The one click that helps an account that does not send; nothing for those who may not. */
export function accountAction(account, view, then = () => {}) {
  if (!may('admin')) return nothing;
  const well = ['ready', 'degraded', 'starting'].includes(account.health);
  const button = (words, action) => html`<button class=${well ? '' : 'primary'} ?disabled=${view.isBusy(`account ${account.id}`)} @click=${() => view.once(`account ${account.id}`, async () => { await action(account); await then(); })}>${words}</button>`;
  if (account.needsLogin) return html`<a class="button primary" href=${to('accounts', account.id)}>Log in…</a>`;
  if (account.health === 'paused') return button('Resume', resume);
  return button('Check now', check);
}
