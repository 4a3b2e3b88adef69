import { View, html, nothing } from '../base/view.js';
import { path, post, remove, save } from '../base/api.js';
import { may } from '../base/me.js';
import { Load } from '../base/load.js';
import { bytes, count } from '../base/words.js';
import { bulk } from './bulk.js';
import { at, pending } from './shown.js';
import { toast, unlessUndone } from './toast.js';

/** What all lists of inbound messages share. */

export const who = (sender) => sender?.name || sender?.id || 'somebody';

/** How an inbound message stands and what happens next, in a sentence. */
export function standing(message) {
  const tries = message.attempts > 0 ? `; handed out ${count(message.attempts, 'time')}` : '';
  const error = message.error ? `: ${message.error}` : '';
  const again = Date.parse(message.dueAt) > Date.now();
  switch (message.status) {
    case 'pending': return message.attempts === 0
      ? 'waits until a program takes it'
      : html`${again ? html`handed out again at ${at(message.dueAt)}` : 'to be handed out again'}${tries}, failed${error}`;
    case 'leased': return html`a program has it until ${at(message.dueAt)}${tries}`;
    case 'failed': return message.replayedAs ? `could not be handled${error}; replayed since` : `could not be handled${error}${tries}`;
    case 'discarded': return 'discarded';
    default: return { open: 'handled; its answers are on their way', failed: 'handled, but an answer has failed', empty: 'handled, nothing to say' }[message.turn] ?? 'handled';
  }
}

/** The files of an inbound message, each to be downloaded. */
export const files = (message, view) => (message.media ?? []).map((file, i) => {
  const name = file.filename ?? `${file.kind} ${i + 1}`;
  return html`<button class="file" title=${file.type ?? nothing} @click=${() => view.act(() => save(file.href, file.filename ?? `${message.id}-${i + 1}`))}>
    <span aria-hidden="true">⇩</span> ${name}${file.size ? ` (${bytes(file.size)})` : ''}</button>`;
});

/** Those that are discarded as soon as nobody can take it back any more, by id. */
const leaving = new Set();
export const isLeaving = (message) => leaving.has(message.id);

const isDead = (message) => message.status === 'failed' && !message.replayedAs && !isLeaving(message);

/** Lets go of a dead letter in some seconds, unless the person takes it back. */
function discard(message, view, changed) {
  leaving.add(message.id);
  view.requestUpdate();
  const stays = () => { leaving.delete(message.id); view.requestUpdate(); };
  unlessUndone('The message is discarded.', async () => {
    await view.act(() => remove(path`/v1/inbound/${message.id}`));
    await changed();
    stays();
  }, 8, stays);
}

/** What can be done about a dead letter. */
export const deadLetterTools = (message, view, changed) => (isDead(message) && may('admin') ? html`
  <button @click=${() => view.act(async () => {
    await post(path`/v1/inbound/${message.id}/replay`);
    toast('It is handed out again, at the end of its conversation.');
    changed();
  })}>Replay</button>
  <button class="danger" @click=${() => discard(message, view, changed)}>Discard</button>` : nothing);

/** Replays all dead letters of an account or a conversation, or all there are. */
export const replayAll = (filter) => bulk('/v1/inbound/replay', filter, {
  verb: 'Replay', done: 'replayed', one: 'dead letter',
  text: html`<p>Each is handed out to your program again, as a new message at the end of its conversation.</p>`,
  read: (answer) => ({ ...answer, done: answer.replayed, more: !answer.dryRun && answer.remaining > 0, refused: (answer.errors ?? []).map((reason, i) => ({ id: answer.ids?.[i] ?? '', reason })) }),
});

/** What went wrong with handling a message, asked for when somebody opens it. */
class InboundHistory extends View {
  static properties = { message: { attribute: false }, open: { state: true } };

  turn = new Load(this, () => (this.open ? path`/v1/turns/${this.message}` : null), { on: ['inbound.', 'turn.'] });

  view() {
    return html`<details @toggle=${(event) => { this.open = event.target.open; }}>
      <summary>What happened</summary>
      ${!this.open ? nothing : this.turn.data ? this.#notes(this.turn.data) : pending(this.turn)}
    </details>`;
  }

  #notes(turn) {
    return html`<ol class="timeline">
      <li><span class="quiet">${at(turn.message.receivedAt)}</span><span>it came in and was stored</span></li>
      ${turn.history.map((note) => html`<li class="bad"><span class="quiet">${at(note.at)}</span>
        <span>attempt ${note.attempt} failed: ${note.error}${note.nextAt ? html`; again at ${at(note.nextAt)}` : ''}</span></li>`)}
      ${turn.handedOutAt ? html`<li><span class="quiet">${at(turn.handedOutAt)}</span><span>handed out last</span></li>` : nothing}
      ${turn.endedAt ? html`<li class=${turn.state === 'failed' ? 'bad' : 'good'}><span class="quiet">${at(turn.endedAt)}</span><span>its turn ended: ${turn.state}</span></li>` : nothing}
      <li class="next"><span class="quiet">now</span><span>${standing(turn.message)}</span></li>
    </ol>`;
  }
}

customElements.define('inbound-history', InboundHistory);
