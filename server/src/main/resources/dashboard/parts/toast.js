import { html, render } from '/lib/lit-html/lit-html.js';
import { repeat } from '/lib/lit-html/directives/repeat.js';

/** Short messages at the edge of the page, spoken by screen readers. */
const toasts = [];
let number = 0;

const place = () => document.getElementById('toasts');

function show() {
  render(repeat(toasts, (toast) => toast.number, (toast) => html`
    <div class="toast ${toast.bad ? 'bad' : ''}">
      <span>${toast.text}</span>
      ${toast.action ? html`<button @click=${() => { toast.action.do(); drop(toast); }}>${toast.action.label}</button>` : ''}
      <button class="close" aria-label="Close" @click=${() => drop(toast)}>×</button>
    </div>`), place());
}

function drop(toast) {
  const at = toasts.indexOf(toast);
  if (at >= 0) toasts.splice(at, 1);
  clearTimeout(toast.timer);
  show();
}

/** So many that only say something are shown at a time, lest they cover what a person wants to click. */
const MOST = 4;

/**
 * Says something; `action`: {label, do}. What went wrong stays longer. What is said again takes the
 * place of what was said; what offers something to do gives way to nothing else.
 */
export function toast(text, { bad = false, action = null, stay = bad ? 12_000 : 6000 } = {}) {
  const plain = toasts.filter((other) => !other.action);
  if (!action) plain.filter((other, i) => other.text === text || i <= plain.length - MOST).forEach(drop);
  const added = { number: ++number, text, bad, action };
  added.timer = setTimeout(() => drop(added), stay);
  toasts.push(added);
  show();
}

/** What is done unless somebody takes it back; each ends the waiting. */
const undoable = new Set();

/**
 * Does something in some seconds unless the person takes it back. If the page is left before, it is
 * done at once, since it was confirmed. `undone`: what to do if they take it back.
 */
export function unlessUndone(text, action, seconds = 8, undone = () => {}) {
  const end = (run) => {
    if (!undoable.delete(doNow)) return undefined;
    clearTimeout(timer);
    removeEventListener('pagehide', doNow);
    return run ? action() : undefined;
  };
  const doNow = () => end(true);
  undoable.add(doNow);
  const timer = setTimeout(doNow, seconds * 1000);
  addEventListener('pagehide', doNow);
  toast(text, { stay: seconds * 1000, action: { label: 'Undo', do: () => { end(false); undone(); } } });
}

/** Does what waits to be taken back: before anything else is done to all there are. */
export const settleUndoable = () => Promise.all([...undoable].map((doNow) => doNow()));
