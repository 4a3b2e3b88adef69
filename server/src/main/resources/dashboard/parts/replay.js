import { html, nothing } from '/lib/lit-html/lit-html.js';
import { path, post } from '../base/api.js';
import { dialog } from './dialog.js';
import { toast } from './toast.js';

const FIELDS = [
  { name: 'to', label: 'Chat', required: true },
  { name: 'text', label: 'Text', long: true },
  { name: 'threadId', label: 'Thread' },
  { name: 'replyToId', label: 'In reply to (id on the platform)' },
  { name: 'expiresIn', label: 'Expires after, such as 30m' },
];

/** What the person has changed; an emptied field means none. */
function changes(message, form) {
  const changed = {};
  for (const { name } of FIELDS) {
    const value = form.elements[name].value;
    if (value !== (message[name] ?? '')) changed[name] = value === '' ? null : value;
  }
  if (form.elements.format.value !== (message.format ?? 'markdown')) changed.format = form.elements.format.value;
  if (form.elements.silent.checked !== (message.silent ?? false)) changed.silent = form.elements.silent.checked;
  return changed;
}

/** Lets a person change a dead letter and sends it again; resolves with the new message, or null. */
export function editAndReplay(message) {
  let problem = null;
  let busy = false;
  return dialog(({ close, update }) => {
    const wrong = (name) => problem?.errors?.find((error) => error.field === name)?.message;
    const submit = async (event) => {
      event.preventDefault();
      busy = true;
      update();
      try {
        const replayed = await post(path`/v1/dead-letters/${message.id}/replay`, changes(message, event.target));
        toast('It is sent again, as a new message.');
        close(replayed);
      } catch (refused) {
        problem = refused;
      }
      busy = false;
      update();
    };
    return html`<form class="stack" @submit=${submit}>
      <h2>Edit and replay</h2>
      <p class="problem">${message.error ?? message.reason}</p>
      ${FIELDS.map(({ name, label, long, required }) => html`<label>${label}
        ${long ? html`<textarea name=${name} rows="5" aria-invalid=${wrong(name) ? 'true' : nothing} .defaultValue=${message[name] ?? ''}></textarea>`
          : html`<input name=${name} ?required=${required} autocomplete="off" aria-invalid=${wrong(name) ? 'true' : nothing} .defaultValue=${message[name] ?? ''}>`}
        ${wrong(name) ? html`<span class="field-problem" role="alert">${wrong(name)}</span>` : nothing}</label>`)}
      <label>Format <select name="format">${['markdown', 'plain', 'native'].map((one) => html`<option ?selected=${one === (message.format ?? 'markdown')}>${one}</option>`)}</select></label>
      <label class="check"><input type="checkbox" name="silent" ?checked=${message.silent}> Silent</label>
      ${message.media?.length ? html`<p class="quiet">Its files go along as they are.</p>` : nothing}
      ${problem && !FIELDS.some(({ name }) => wrong(name)) ? html`<p class="problem" role="alert">${problem.message}</p>` : nothing}
      <menu><button type="button" @click=${() => close()}>Do nothing</button><button class="primary" ?disabled=${busy}>Replay 1 message</button></menu>
    </form>`;
  }, { label: 'Edit and replay', wide: true });
}
