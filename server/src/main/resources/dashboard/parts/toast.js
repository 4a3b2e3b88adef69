import { html, render } from '/lib/lit-html/lit-html.js';
import { repeat } from '/lib/lit-html/directives/repeat.js';

/** Short messages at the edge of the page, spoken by screen readers. */
const toasts = [];
let number = 0;

const place = () => document.getElementById('toasts');

function show() {
  render(repeat(toasts, (toast) => toast.number, (toast) => html`
    <div class="toast ${toast.bad ? 'bad' : ''}" @pointerenter=${() => hold(toast)} @pointerleave=${() => expire(toast)} @focusin=${() => hold(toast)} @focusout=${() => expire(toast)}>
      <span>${toast.text}</span>
      ${toast.action ? html`<button @click=${() => { toast.action.do(); drop(toast); }}>${toast.action.label}</button>` : ''}
      <button class="close" aria-label="Close" @click=${() => drop(toast)}>×</button>
    </div>`), place());
}

const hold = (toast) => clearTimeout(toast.timer);

/** It goes in some seconds; while it is pointed at or has the focus, somebody reads it. */
function expire(toast) {
  hold(toast);
  if (toasts.includes(toast)) toast.timer = setTimeout(() => drop(toast), toast.stay);
}

function drop(toast) {
  const at = toasts.indexOf(toast);
  if (at < 0) return;
  toasts.splice(at, 1);
  hold(toast);
  show();
  toast.gone();
}

/** So many that only say something are shown at a time, lest they cover what a person wants to click. */
const MOST = 4;

/**
 * Says something; `action`: {label, do}; `gone`: what is done once it is no longer shown. What went wrong stays longer. What is said again takes the
 * place of what was said; what offers something to do gives way to nothing else.
 */
export function toast(text, { bad = false, action = null, stay = bad ? 12_000 : 6000, gone = () => {} } = {}) {
  const plain = toasts.filter((other) => !other.action);
  if (!action) plain.filter((other, i) => other.text === text || i <= plain.length - MOST).forEach(drop);
  const added = { number: ++number, text, bad, action, stay, gone };
  toasts.push(added);
  expire(added);
  show();
}

/** What is done unless somebody takes it back; each ends the waiting. */
const undoable = new Set();

/**
 * Does something when its toast has gone, unless the person takes it back. If the page is left before, it is
 * done at once, since it was confirmed. `undone`: what to do if they take it back.
 */
export function unlessUndone(text, action, seconds = 8, undone = () => {}) {
  const end = (run) => {
    if (!undoable.delete(doNow)) return undefined;
    removeEventListener('pagehide', doNow);
    return run ? action() : undefined;
  };
  const doNow = () => end(true);
  undoable.add(doNow);
  addEventListener('pagehide', doNow);
  toast(text, { stay: seconds * 1000, gone: doNow, action: { label: 'Undo', do: () => { end(false); undone(); } } });
}

/** Does what waits to be taken back: before anything else is done to all there are. */
export const settleUndoable = () => Promise.all([...undoable].map((doNow) => doNow()));
