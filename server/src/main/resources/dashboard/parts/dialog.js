import { html, nothing, render } from '/lib/lit-html/lit-html.js';

/**
 * Opens a dialog with the given content and resolves with what it is closed with; null if it was
 * cancelled. `content` is called with a function that closes it, and again whenever `update` is.
 */
export function dialog(content, { label, wide = false } = {}) {
  return new Promise((resolve) => {
    const element = document.createElement('dialog');
    if (wide) element.className = 'wide';
    if (label) element.setAttribute('aria-label', label);
    let result = null;
    const close = (value = null) => { result = value; element.close(); };
    const update = () => render(content({ close, update }), element);
    element.addEventListener('close', () => { render(nothing, element); element.remove(); resolve(result); });
    document.body.append(element);
    update();
    element.showModal();
  });
}

/** Asks whether to do it. The button says what is done, with its number: "Discard 37 messages". */
export async function confirm({ title, text = nothing, action, danger = false }) {
  const yes = await dialog(({ close }) => html`
    <h2>${title}</h2>
    <div class="prose">${text}</div>
    <menu>
      <button @click=${() => close()}>Cancel</button>
      <button class=${danger ? 'danger solid' : 'primary'} @click=${() => close(true)}>${action}</button>
    </menu>`, { label: title });
  return yes === true;
}
