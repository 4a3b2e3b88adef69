import { html, nothing, svg } from '/lib/lit-html/lit-html.js';
import { path, post } from '../base/api.js';
import { at } from './shown.js';
import { dialog } from './dialog.js';

/** Logging in an account that a person must let in on their phone. */

const EDGE = 4;
const PAUSE = 2000;
const GOING_ON = ['scan', 'code', 'waiting'];

/** A QR code from its rows of 0 and 1: black on white in any colours, because phones want it so. */
function drawn(rows) {
  const size = rows.length + 2 * EDGE;
  const squares = rows.flatMap((row, y) => [...row].map((square, x) => (square === '1' ? `M${x + EDGE},${y + EDGE}h1v1h-1z` : '')));
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code to scan with the phone">${svg`<path d=${squares.join('')}></path>`}</svg>`;
}

const code = ({ rows, png }) => (rows ? drawn(rows) : html`<img class="qr" alt="QR code to scan with the phone" src="data:image/png;base64,${png}">`);

/** What the person is to do now. */
function step(login) {
  const say = (text) => html`<p role="status">${text}</p>`;
  const until = login.validUntil ? html`<p class="quiet">Good until ${at(login.validUntil)}; then a new one is shown here.</p>` : nothing;
  return {
    asking: () => say('Asking…'),
    scan: () => html`${say('Scan this with the phone, where it asks to link a device.')}${code(login.qr)}${until}`,
    code: () => html`${say('Type this code on the phone, where it asks to link a device.')}<p class="pairing-code">${login.code}</p>${until}`,
    waiting: () => say(`One moment: ${login.cause}`),
    loggedIn: () => say(login.identity ? `Done: logged in as ${login.identity}. What waited is being sent.` : 'Done: logged in. What waited is being sent.'),
    notSupported: () => say(`There is nothing to log in: ${login.cause}.`),
  }[login.state]?.() ?? html`<p class="problem" role="alert">It did not work: ${login.cause}</p>`;
}

/** Opens the dialog and keeps it true until it is closed or the login has ended. */
export async function logIn(account) {
  let login = { state: 'asking' };
  let phone = null;
  let turn = 0;
  let open = true;
  let show = () => {};
  const ask = async () => {
    const mine = ++turn;
    login = { state: 'asking' };
    do {
      const answer = await post(path`/v1/accounts/${account}/login`, phone ? { phone } : {}).catch((problem) => ({ state: 'failed', cause: problem.message }));
      if (!open || mine !== turn) return;
      login = answer;
      show();
      if (GOING_ON.includes(login.state)) await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
    } while (open && mine === turn && GOING_ON.includes(login.state));
  };
  const withCode = (event) => {
    event.preventDefault();
    phone = event.target.elements.phone.value.trim() || null;
    ask();
    show();
  };
  ask();
  await dialog(({ close, update }) => {
    show = update;
    const ended = !GOING_ON.includes(login.state) && login.state !== 'asking';
    return html`
      <h2>Log in ${account}</h2>
      <div class="pairing">${step(login)}</div>
      <details ?hidden=${ended}><summary>Type a code instead</summary>
        <form class="line" @submit=${withCode}>
          <label>Number of the phone <input name="phone" type="tel" placeholder="+49 151 23456789" autocomplete="off"></label>
          <button>Get a code</button>
        </form></details>
      <menu>
        ${login.state === 'failed' ? html`<button @click=${() => { ask(); show(); }}>Try again</button>` : nothing}
        <button class="primary" @click=${() => close()}>Close</button>
      </menu>`;
  }, { label: `Log in ${account}` });
  open = false;
}
