import { html, nothing } from '/lib/lit-html/lit-html.js';
import { dialog } from './dialog.js';

/** Asks for a token until there is one: without it there is nothing to see. */
export async function askForToken(wrong) {
  for (;;) {
    const token = await dialog(({ close }) => html`
      <form method="dialog" @submit=${(event) => { event.preventDefault(); close(event.target.elements.token.value.trim()); }}>
        <h2>Log in</h2>
        <p class="quiet">This server wants a token (<code>http.tokens</code> in its configuration). It is kept in this tab only, until you close it.</p>
        ${wrong ? html`<p class="problem" role="alert">${wrong}</p>` : nothing}
        <label>Token <input name="token" type="password" autocomplete="current-password" required autofocus></label>
        <menu><button class="primary">Log in</button></menu>
      </form>`, { label: 'Log in' });
    if (token) return token;
  }
}
