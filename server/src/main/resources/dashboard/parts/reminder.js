import { html, nothing } from '/lib/lit-html/lit-html.js';
import { get, path, post } from '../base/api.js';
import { go } from '../base/route.js';
import { count, number } from '../base/words.js';
import { confirm } from './dialog.js';
import { at } from './shown.js';
import { toast } from './toast.js';

/** What can be done with a reminder, wherever it is shown. */

export const nextFiring = (reminder) => reminder.nextFiringAt ?? reminder.nextFireAt ?? null;

/** Whether what is to be sent fits the window, in a sentence. `outlook`: the answer of a preview. */
export function fit(outlook) {
  const pace = outlook.perMinute ? ` at ${number(Math.round(outlook.perMinute))} a minute` : '';
  const opens = outlook.opensAt && Date.parse(outlook.opensAt) > Date.now() ? html`The window is closed until ${at(outlook.opensAt)}. ` : nothing;
  const messages = `${count(outlook.sends, 'message')}${pace}`;
  if (outlook.fits) return html`${opens}${messages}: they fit, and are done at about ${at(outlook.doneAt)}.`;
  const done = outlook.doneAt ? html`; all of them take ${count(outlook.windows, 'opening')}, until ${at(outlook.doneAt)}` : nothing;
  return html`${opens}${messages}: they do not fit. ${number(outlook.inOpening)} go out before the window closes${outlook.closesAt ? html` at ${at(outlook.closesAt)}` : nothing}${done}.`;
}

const unknown = (outlook) => (outlook.unknownCount > 0
  ? html`<p class="note">${count(outlook.unknownCount, 'chat')} the account has never heard of: ${outlook.unknownTargets.slice(0, 5).join(', ')}${outlook.unknownCount > 5 ? '…' : ''}</p>` : nothing);

/** Fires a reminder now, after telling how many it reaches and whether that fits. */
export async function fire(reminder) {
  const full = await get(path`/v1/reminders/${reminder.id}`);
  const outlook = await post('/v1/reminders/preview', full);
  const yes = await confirm({
    title: `Fire ${reminder.name} now?`,
    text: html`<p>It goes to ${count(reminder.targetCount, 'chat')} from ${reminder.account}.</p>
      <p class=${outlook.fits ? nothing : 'note'}>${fit(outlook)}</p>${unknown(outlook)}`,
    action: `Send to ${count(reminder.targetCount, 'chat')}`,
  });
  if (!yes) return;
  const run = await post(path`/v1/reminders/${reminder.id}/fire`);
  toast('It has fired.');
  go('run', run.id);
}

/** Switches the schedule on or off. */
export async function enable(reminder, enabled) {
  await post(`${path`/v1/reminders/${reminder.id}`}/${enabled ? 'enable' : 'disable'}`);
  toast(enabled ? `${reminder.name} follows its schedule.` : `${reminder.name} is switched off. It can still be fired by hand.`);
}

export const confirmRemoval = (reminder) => confirm({
  title: `Delete ${reminder.name}?`,
  text: html`<p>It is never fired again, and its list of ${count(reminder.targetCount, 'target')} is gone. Its runs stay, and those under way go on.</p>`,
  action: `Delete it with ${count(reminder.targetCount, 'target')}`,
  danger: true,
});
