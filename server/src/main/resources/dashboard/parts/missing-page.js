import { View, html } from '../base/view.js';
import { request } from '../base/api.js';

const KEY = 'postrider-loaded-anew-for';
const PAUSE = 2000;

/**
 * Stands in the place of a page whose module could not be loaded. A browser does not ask again for a
 * module that it did not get, so as soon as the server answers, the document is loaded anew: once for
 * a page, lest it goes on for ever where something else is wrong.
 */
class MissingPage extends View {
  static properties = { name: {}, heading: {}, tried: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    this.tried = sessionStorage.getItem(KEY) === this.name;
    if (!this.tried) this.#comeBack();
  }

  async #comeBack() {
    while (this.isConnected) {
      const answered = await request('/healthz', { signal: AbortSignal.timeout(5 * PAUSE) }).then((response) => response.ok, () => false);
      if (answered && this.isConnected) {
        sessionStorage.setItem(KEY, this.name);
        location.reload();
        return;
      }
      await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
    }
  }

  view() {
    return html`<h1>${this.heading}</h1>
      <p class="problem" role="alert">${this.tried
    ? 'This page could not be loaded, although the server answers. Something between it and this browser may keep a file back.'
    : 'This page could not be loaded: the server does not answer. It is shown as soon as it does.'}</p>
      ${this.tried ? html`<p><button class="primary" @click=${() => location.reload()}>Load it again</button></p>` : ''}`;
  }
}

/** A page has come, so it may be tried again the next time. */
export const pageHasCome = () => sessionStorage.removeItem(KEY);

customElements.define('missing-page', MissingPage);
