import { html, nothing } from '/lib/lit-html/lit-html.js';
import { post } from '../base/api.js';
import { count, number } from '../base/words.js';
import { dialog } from './dialog.js';
import { settleUndoable, toast } from './toast.js';

/** How many are done, or counted, with one request; and how many requests count at most. */
const STEP = 500;
const COUNTED = 10_000;
const COUNTS = 20;

/**
 * Does something to all that match: counts first, asks with the number, works in bounded
 * steps with a bar that can be stopped, and says what was refused. Resolves with how many were done;
 * 0 if nobody wanted it.
 *
 * @param path what takes the filter, such as /v1/messages/cancel
 * @param filter the filter, `ids`, `lanes` or `all`; or several of them, to be done one after the other
 * @param words `verb`: 'Cancel', `done`: 'cancelled', `one`: 'message', `danger`, `text`; `why`: whether
 *     a reason is asked for; `read`: turns an answer of another shape into {matched, done, refused, more}
 */
export async function bulk(path, filter, { verb, done, one = 'message', danger = false, text = nothing, why = false, read = (answer) => answer }) {
  await settleUndoable();
  const work = new Work(path, [filter].flat().flatMap(inSteps), read);
  const words = () => `${count(work.matched, one)}${work.orMore ? ' or more' : ''}`;
  let shown = null;
  const counting = work.count(() => shown?.());
  await Promise.race([counting, new Promise((resolve) => { setTimeout(resolve, 400); })]);
  if (work.state === 'asking' && work.matched === 0) {
    toast(`There is nothing to ${verb.toLowerCase()} any more.`);
    return 0;
  }
  await dialog(({ close, update }) => {
    shown = update;
    return html`
      <h2>${work.state === 'counting' ? `Counting what there is to ${verb.toLowerCase()}…` : `${verb} ${words()}?`}</h2>
      <div class="prose">${text}</div>
      ${work.state === 'counting' ? html`<p role="status">${words()} so far.</p>` : nothing}
      ${why && work.state === 'asking' ? html`<label class="asked">Why (shown wherever it waits) <input name="reason" maxlength="200" autocomplete="off" autofocus @input=${(event) => { work.reason = event.target.value.trim(); }}></label>` : nothing}
      ${['working', 'stopping', 'ended'].includes(work.state) ? html`
        <progress max=${Math.max(work.matched, work.done, 1)} .value=${work.done} aria-label="Progress"></progress>
        <p role="status">${number(work.done)} of ${number(work.matched)} ${done}${work.state === 'ended' ? '.' : '…'}</p>` : nothing}
      ${work.problem ? html`<p class="problem" role="alert">${work.problem}</p>` : nothing}
      ${work.refused.length === 0 ? nothing : html`<details><summary>${count(work.refused.length, 'refusal')}</summary>
        <ul>${work.refused.map((each) => html`<li><code>${each.id}</code>: ${each.reason}</li>`)}</ul></details>`}
      <menu>
        ${work.state === 'asking' || work.state === 'counting' ? html`<button @click=${() => close()}>Do nothing</button>` : nothing}
        ${work.state === 'asking' ? html`<button class=${danger ? 'danger solid' : 'primary'} ?disabled=${work.matched === 0} @click=${() => work.run(update)}>${verb} ${words()}</button>` : nothing}
        ${work.state === 'working' ? html`<button @click=${() => { work.state = 'stopping'; update(); }}>Stop</button>` : nothing}
        ${work.state === 'ended' ? html`<button class="primary" autofocus @click=${() => close()}>Close</button>` : nothing}
      </menu>`;
  }, { label: verb });
  if (work.state !== 'ended') work.state = 'stopping';
  return work.done;
}

/** What is to be done, and how far it is. */
class Work {
  state = 'counting';
  matched = 0;
  orMore = false;
  done = 0;
  refused = [];
  problem = null;
  reason = '';

  constructor(path, filters, read) {
    this.path = path;
    this.filters = filters;
    this.read = read;
  }

  async count(update) {
    await this.#guard(async () => {
      for (const filter of this.filters) {
        let answer = null;
        for (let i = 0; i < COUNTS && this.state === 'counting' && goesOn(answer); i += 1) {
          answer = await this.#ask(filter, answer, { dryRun: true, limit: COUNTED });
          this.matched += answer.matched;
          update();
        }
        this.orMore ||= answer?.more === true;
      }
      if (this.state === 'counting') this.state = 'asking';
    });
    update();
  }

  async run(update) {
    this.state = 'working';
    update();
    await this.#guard(async () => {
      for (const filter of this.filters) {
        let answer = null;
        while (this.state === 'working' && (goesOn(answer) || (answer.more && answer.done > 0))) {
          answer = await this.#ask(filter, answer, { limit: STEP, ...(this.reason ? { reason: this.reason } : {}) });
          this.done += answer.done;
          this.refused = [...this.refused, ...(answer.refused ?? [])].slice(0, 20);
          update();
        }
      }
    });
    this.state = 'ended';
    update();
  }

  /** `next` is where the request before has ended, where the path knows one. */
  async #ask(filter, before, options) {
    const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== null && value !== ''));
    return this.read(await post(this.path, { ...given, ...options, ...(before?.next ? { cursor: before.next } : {}) }));
  }

  async #guard(action) {
    try {
      await action();
    } catch (problem) {
      this.problem = problem.message;
      this.state = 'ended';
    }
  }
}

/** A request names so many at most. */
function inSteps(filter) {
  const name = ['ids', 'lanes'].find((each) => filter[each]?.length > STEP);
  if (!name) return [filter];
  return Array.from({ length: Math.ceil(filter[name].length / STEP) }, (_, i) => ({ ...filter, [name]: filter[name].slice(i * STEP, (i + 1) * STEP) }));
}

const goesOn = (answer) => answer === null || Boolean(answer.more && answer.next);
