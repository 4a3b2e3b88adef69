import { html } from '/lib/lit-html/lit-html.js';
import { toast } from './toast.js';

/** Copies a text; where the browser does not allow it, as on plain HTTP, it is selected to be copied by hand. */
async function copy(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied.');
  } catch {
    getSelection().selectAllChildren(shown);
    toast('The browser does not let this page copy. The text is selected: copy it with the keyboard.');
  }
}

/** A text as it stands, with a button that copies it. */
export const copyable = (text, what) => html`<div class="copyable">
  <pre tabindex="0" aria-label=${what}>${text}</pre>
  <button aria-label="Copy ${what}" @click=${(event) => copy(text, event.currentTarget.previousElementSibling)}>Copy</button>
</div>`;
