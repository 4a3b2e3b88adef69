import { html } from '/lib/lit-html/lit-html.js';
import { path, post } from '../base/api.js';
import { go } from '../base/route.js';
import { count } from '../base/words.js';
import { dialog } from './dialog.js';
import { placeholders, valueOf } from './reminder-draft.js';
import { toast } from './toast.js';

/** Sends a reminder's messages to one chat, with values that begin as those of the first target. */
export async function sendTest(reminder) {
  const names = placeholders(reminder.messages);
  const first = reminder.targets?.[0] ?? {};
  const accounts = reminder.accounts ?? [reminder.account];
  const chosen = await dialog(({ close }) => html`<form @submit=${(event) => {
    event.preventDefault();
    const { elements } = event.target;
    close({ to: elements.to.value.trim(), account: elements.account.value, variables: Object.fromEntries(names.map((name) => [name, elements[`value-${name}`].value])) });
  }}>
    <h2>Send a test of ${reminder.name}</h2>
    <p>${count(reminder.messages.length, 'message')} to one chat. It is no run, and nobody else gets it.</p>
    <div class="form">
      <label>Chat <input name="to" required autofocus></label>
      <label>From <select name="account">${accounts.map((account) => html`<option>${account}</option>`)}</select></label>
      ${names.map((name) => html`<label>{{${name}}} <input name="value-${name}" value=${valueOf(first, name) ?? ''}></label>`)}
    </div>
    <menu><button type="button" @click=${() => close()}>Cancel</button><button class="primary">Send ${count(reminder.messages.length, 'message')}</button></menu></form>`, { label: 'Send a test' });
  if (!chosen) return;
  const { messages } = await post(path`/v1/reminders/${reminder.id}/test`, chosen);
  toast(`${count(messages.length, 'message')} on the way to ${chosen.to}.`, { action: { label: 'Show', do: () => go('messages', messages[0].id) }, stay: 12_000 });
}
