import { path, post } from './api.js';
import { button, el } from './dom.js';

// Logging in accounts that a person must let in: the code is asked for again and again while the dialog is open.

const SVG = 'http://www.w3.org/2000/svg';
const EDGE = 4;

/** A QR code from its rows of 0 and 1: black on white in any colour scheme, because phones want it so. */
function drawn(rows) {
  const svg = document.createElementNS(SVG, 'svg');
  const size = rows.length + 2 * EDGE;
  svg.setAttribute('class', 'qr');
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', 'QR code to scan with the phone');
  const dark = document.createElementNS(SVG, 'path');
  dark.setAttribute('d', rows.flatMap((row, y) => [...row].map((square, x) => (square === '1' ? `M${x + EDGE},${y + EDGE}h1v1h-1z` : ''))).join(''));
  svg.append(dark);
  return svg;
}

const picture = (png) => el('img', { class: 'qr', alt: 'QR code to scan with the phone', src: `data:image/png;base64,${png}` });

/** What the person is to do now. */
function step(login) {
  const say = (...words) => el('p', { role: 'status' }, ...words);
  return {
    scan: () => [say('Scan this with the phone, where it asks to link a device. A new one is shown when it expires.'), login.qr.rows ? drawn(login.qr.rows) : picture(login.qr.png)],
    code: () => [say('Type this code on the phone, where it asks to link a device.'), el('p', { class: 'pairing-code' }, login.code)],
    waiting: () => [say(`One moment: ${login.cause}`)],
    loggedIn: () => [say(login.identity ? `Done: logged in as ${login.identity}.` : 'Done: logged in.')],
  }[login.state]?.() ?? [say(`It did not work: ${login.cause}`)];
}

const waits = (login) => ['scan', 'code', 'waiting'].includes(login.state);

/** Opens the dialog and keeps it true until it is closed or the login has ended. */
export function logIn(account, onEnd) {
  const dialog = document.getElementById('pairing');
  const content = el('div', { class: 'pairing' }, el('p', { class: 'quiet' }, 'Asking…'));
  const number = el('input', { id: 'pairing-phone', type: 'tel', placeholder: '+49 151 23456789', autocomplete: 'off' });
  let phone;
  let last = '';
  let turn = 0;
  async function ask(mine) {
    while (dialog.open && mine === turn) {
      const login = await post(path`/v1/accounts/${account}/login`, phone ? { phone } : {}).catch((problem) => ({ state: 'failed', cause: problem.message }));
      if (!dialog.open || mine !== turn) return;
      const news = JSON.stringify(login);
      if (news !== last) content.replaceChildren(...step(login));
      last = news;
      other.hidden = !waits(login);
      again.hidden = waits(login) || login.state === 'loggedIn';
      if (!waits(login)) { onEnd(); return; }
      await new Promise((resolve) => { setTimeout(resolve, 2000); });
    }
  }
  const begin = () => { last = ''; turn += 1; ask(turn); };
  const again = button('Try again', begin);
  again.hidden = true;
  const other = el('details', { class: 'other-way' }, el('summary', {}, 'Type a code instead'),
    el('form', { class: 'line', onsubmit: (event) => { event.preventDefault(); phone = number.value.trim() || undefined; begin(); } },
      el('label', { for: 'pairing-phone' }, 'Number of the phone', number), el('button', {}, 'Get a code')));
  dialog.replaceChildren(el('h2', {}, `Log in ${account}`), content, other,
    el('menu', {}, again, el('button', { type: 'button', class: 'primary', onclick: () => dialog.close() }, 'Close')));
  dialog.onclose = () => { turn += 1; content.replaceChildren(); };
  dialog.showModal();
  begin();
}
