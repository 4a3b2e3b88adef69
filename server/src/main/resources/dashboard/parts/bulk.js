import { html, nothing } from '/lib/lit-html/lit-html.js';
import { post } from '../base/api.js';
import { count, number } from '../base/words.js';
import { dialog } from './dialog.js';
import { toast } from './toast.js';

/**
 * Does something to all messages that match: counts first, asks with the number, works in bounded
 * steps with a bar that can be stopped, and says what was refused. Resolves with how many were done;
 * 0 if nobody wanted it.
 *
 * @param path what takes the filter, such as /v1/messages/cancel
 * @param filter the filter, `ids`, or `all`
 * @param words `verb`: 'Cancel', `done`: 'cancelled', `one`: 'message', `danger`, `text`
 */
export async function bulk(path, filter, { verb, done, one = 'message', danger = false, text = nothing }) {
  const preview = await post(path, { ...filter, dryRun: true });
  if (preview.matched === 0) {
    toast(`There is nothing to ${verb.toLowerCase()} any more.`);
    return 0;
  }
  const total = preview.matched;
  const amount = `${count(total, one)}${preview.more ? ' or more' : ''}`;
  let finished = 0;
  let refused = [];
  let state = 'asking';
  const work = async (update) => {
    state = 'working';
    update();
    try {
      for (let more = true; more && state === 'working';) {
        const step = await post(path, { ...filter, limit: 500 });
        finished += step.done;
        refused = [...refused, ...(step.refused ?? [])].slice(0, 20);
        more = step.more && step.done > 0;
        update();
      }
    } catch (problem) {
      toast(problem.message, { bad: true });
    }
    state = 'ended';
    update();
  };
  await dialog(({ close, update }) => html`
    <h2>${verb} ${amount}?</h2>
    <div class="prose">${text}</div>
    ${state === 'asking' ? nothing : html`
      <progress max=${Math.max(total, finished)} .value=${finished} aria-label="Progress"></progress>
      <p role="status">${number(finished)} of ${number(total)} ${done}${state === 'ended' ? '.' : '…'}</p>`}
    ${refused.length === 0 ? nothing : html`<details><summary>${count(refused.length, 'refusal')}</summary>
      <ul>${refused.map((each) => html`<li><code>${each.id}</code>: ${each.reason}</li>`)}</ul></details>`}
    <menu>
      ${state === 'asking' ? html`<button @click=${() => close()}>Do nothing</button>
        <button class=${danger ? 'danger solid' : 'primary'} @click=${() => work(update)}>${verb} ${amount}</button>` : nothing}
      ${state === 'working' ? html`<button @click=${() => { state = 'stopping'; }}>Stop</button>` : nothing}
      ${state === 'ended' ? html`<button class="primary" @click=${() => close()}>Close</button>` : nothing}
    </menu>`, { label: `${verb} ${amount}` });
  return finished;
}
