import { html, nothing } from '../base/view.js';
import { bytes } from '../base/words.js';

const shown = (text) => html`<pre class="bounded" tabindex="0">${text}</pre>`;

/** What one request brings: its text to the character, what is sent if the markup is refused, its files. */
export function piece({ content, text = content, plain, styles = [], media = [] }) {
  return html`
    ${text ? shown(text) : nothing}
    ${plain && plain !== text ? html`<details><summary>If the platform refuses the markup</summary>${shown(plain)}</details>` : nothing}
    ${styles.length ? html`<p class="quiet">With styles: ${styles.join(', ')}</p>` : nothing}
    ${media.map((file) => html`<p>${file.kind}: ${file.filename ?? file.url}${file.size ? html` <span class="quiet">(${bytes(file.size)})</span>` : nothing}</p>`)}`;
}
