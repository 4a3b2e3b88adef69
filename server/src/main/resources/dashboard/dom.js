// Elements without markup in strings: text goes in as text, so nothing a sender wrote can act.

/** Makes an element: el('td', {class: 'num'}, 5). A property that starts with "on" is a listener. */
export function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false).map((child) => child instanceof Node ? child : String(child)));
  return element;
}

const KINDS = {
  ready: 'good', alive: 'good', delivered: 'good', ok: 'good', healthy: 'good', handled: 'good', success: 'good', sent: 'good',
  throttled: 'warn', leased: 'warn', paused: 'warn', starting: 'warn', held: 'warn', expired: 'warn', partial: 'warn',
  skipped: 'warn', degraded: 'warn',
  failed: 'bad', broken: 'bad', dead: 'bad', failing: 'bad', refused: 'bad', unreachable: 'bad', offline: 'bad',
};

export function badge(word, title) {
  return el('span', { class: `badge ${KINDS[word] ?? ''}`, title }, word);
}

const clock = (instant) => { const at = new Date(instant); return Math.abs(at - Date.now()) < 72e6 ? at.toLocaleTimeString() : at.toLocaleString(); };

/** What a message, a lane or an account waits for, in words; empty if it waits for nothing. */
export function waits(waiter) {
  const w = waiter.waitingFor;
  if (!w) return '';
  const cause = w.cause ? `: ${w.cause}` : '';
  const since = w.since ? ` since ${clock(w.since)}` : '';
  const at = (words) => w.until ? `; ${words} ${clock(w.until)}` : '';
  return {
    pace: () => w.until ? `may go at ${clock(w.until)}${cause}` : 'waits for its turn',
    retry: () => `retry at ${clock(w.until)}${w.cause ? ` after: ${w.cause}` : ''}`,
    behind: () => `waits for its turn behind ${w.messageId}`,
    lanePaused: () => `the lane is paused${since}${cause}`,
    accountPaused: () => `the account is paused${since}${cause}`,
    accountBroken: () => `the account is broken${since}${cause}${at('asked again at')}`,
    unreachable: () => `unreachable${since}${cause}${at('next probe at')}`,
    storeDown: () => `the store takes no writes${since}${cause}`,
    window: () => w.until ? `the window opens at ${clock(w.until)}` : 'waits for its window',
    sendAt: () => w.until ? `to be sent at ${clock(w.until)}` : 'to be sent now',
    otherNode: () => w.cause,
    receipt: () => `${w.cause}${at('goes on at')}`,
  }[w.kind]?.() ?? `${w.kind}${cause}`;
}

export function card(title, tools, ...body) {
  return el('section', { class: 'card' }, el('div', { class: 'head' }, el('h2', {}, title), tools), ...body);
}

export function table(columns, rows, nothing) {
  if (rows.length === 0) return el('p', { class: 'empty' }, nothing);
  return el('div', { class: 'scroll' }, el('table', {},
    el('thead', {}, el('tr', {}, columns.map((column) => el('th', { class: column.num ? 'num' : null }, column.name)))),
    el('tbody', {}, rows)));
}

export function button(label, action, kind) {
  const element = el('button', { type: 'button', class: kind }, label);
  element.addEventListener('click', async (event) => {
    event.stopPropagation();
    element.disabled = true;
    try {
      await action();
    } catch (problem) {
      toast(problem.message, true);
    } finally {
      element.disabled = false;
    }
  });
  return element;
}

export function toast(text, bad = false) {
  const element = el('div', { class: bad ? 'toast bad' : 'toast' }, text);
  document.getElementById('toasts').append(element);
  setTimeout(() => element.remove(), 6000);
}

export function ago(instant) {
  if (!instant) return '';
  const seconds = Math.round((Date.now() - Date.parse(instant)) / 1000);
  const amount = Math.abs(seconds);
  const text = amount < 60 ? `${amount} s` : amount < 3600 ? `${Math.round(amount / 60)} min` : amount < 172800 ? `${Math.round(amount / 3600)} h` : `${Math.round(amount / 86400)} d`;
  return amount < 2 ? 'now' : seconds < 0 ? `in ${text}` : `${text} ago`;
}

export const number = (value) => Number(value).toLocaleString('en');

/** A small line chart of numbers, oldest first. */
export function chart(values) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'chart');
  svg.setAttribute('viewBox', '0 0 100 30');
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `Delivered per second, now ${values.at(-1) ?? 0}`);
  const top = Math.max(1, ...values);
  const points = values.map((value, i) => `${(100 * i) / Math.max(1, values.length - 1)},${29 - (27 * value) / top}`);
  for (const [kind, path] of [['area', `M0,30 L${points.join(' L')} L100,30 Z`], ['line', `M${points.join(' L')}`]]) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    element.setAttribute('class', kind);
    element.setAttribute('d', values.length > 1 ? path : 'M0,29 L100,29');
    svg.append(element);
  }
  return svg;
}
