import { follow, get } from './api.js';
import { badge, el, toast } from './dom.js';
import { inbound, sessions } from './inbound.js';
import { reference } from './reference.js';
import { reminders } from './reminders.js';
import { deadLetters, lanes, messages, overview, sandbox, shared } from './views.js';

const PAGES = {
  overview, messages, 'dead-letters': deadLetters, lanes, inbound, sessions, reminders, sandbox, api: reference,
};
const main = document.getElementById('main');
let drawing = false;
let again = false;
let connected = false;

const pageName = () => (location.hash.slice(1) in PAGES ? location.hash.slice(1) : 'overview');

/** Draws the page anew; calls that come meanwhile are answered by one more drawing. */
async function draw() {
  if (drawing) { again = true; return; }
  drawing = true;
  do {
    again = false;
    const name = pageName();
    try {
      const content = await PAGES[name]();
      if (name === pageName()) replace(content);
    } catch (problem) {
      main.replaceChildren(el('p', { class: 'empty' }, problem.message));
    }
  } while (again);
  drawing = false;
}

/** Replaces the content, and leaves people's cursor where it was. */
function replace(content) {
  const { id, selectionStart, selectionEnd } = document.activeElement ?? {};
  const unfolded = [...main.querySelectorAll('details')].map((details) => details.open);
  main.replaceChildren(...content);
  main.querySelectorAll('details').forEach((details, i) => { details.open = unfolded[i] ?? false; });
  const focused = id && document.getElementById(id);
  if (focused && main.contains(focused)) {
    focused.focus();
    if (selectionStart != null) focused.setSelectionRange(selectionStart, selectionEnd);
  }
}

function navigate() {
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === `#${pageName()}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  main.replaceChildren();
  draw();
}

let before = null;

/** Polls what the events do not tell, and turns counters into rates. */
async function poll() {
  try {
    const [stats, health] = await Promise.all([get('/v1/stats'), get('/healthz')]);
    if (before && before.startedAt === stats.startedAt) {
      const seconds = Math.max(0.5, (Date.parse(stats.at) - Date.parse(before.at)) / 1000);
      shared.perSecond = Math.round((stats.delivered - before.delivered) / seconds);
      shared.acceptedPerSecond = Math.round((stats.accepted - before.accepted) / seconds);
      shared.rates = [...shared.rates, shared.perSecond].slice(-150);
    }
    before = stats;
    const dead = document.getElementById('dead-count');
    dead.hidden = stats.deadLetters === 0;
    dead.textContent = stats.deadLetters;
    const unhandled = document.getElementById('unhandled-count');
    unhandled.hidden = stats.inbound.failed === 0;
    unhandled.textContent = stats.inbound.failed;
    state(health.status, health.reasons.join(' '));
    if (['overview', 'lanes', 'reminders'].includes(pageName())) draw();
  } catch {
    state('offline', 'The server does not answer.');
  }
  setTimeout(poll, 2000);
}

function state(word, title) {
  const shown = badge(word === 'ok' && connected ? 'ok' : word, title);
  const element = document.getElementById('health');
  element.className = shown.className;
  element.title = title || (connected ? 'live' : 'waiting for events');
  element.textContent = word === 'ok' && connected ? 'live' : word;
}

/** Many events, few drawings. */
let due = null;
function soon() {
  due ??= setTimeout(() => { due = null; draw(); }, 400);
}

shared.refresh = draw;
addEventListener('hashchange', navigate);
navigate();
poll();
follow((event) => {
  if (event.type === 'account.broken') toast(`${event.account} is broken: ${event.cause}`, true);
  if (event.type === 'store.down') toast(`The store takes no writes: ${event.reason}`, true);
  if (pageName() !== 'api' && !document.querySelector('dialog[open]')) soon();
}, (live) => { connected = live; });
