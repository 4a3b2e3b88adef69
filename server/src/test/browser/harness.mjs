// What all tests of the dashboard use: a browser, servers, waiting for conditions.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { chromium as browsers } from 'playwright-core';

export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
export const WALL = { width: 3840, height: 2160 };

/** Long enough for a machine that does ten other things; whatever is waited for comes far sooner. */
const LONGEST = 60_000;

/** Nothing that a browser does by itself: it talks to our server only. */
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--disable-default-apps', '--disable-quic', '--no-first-run', '--no-pings', '--proxy-server=direct://', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];

export const tests = [];
let surroundings;
let browser;
let visits = [];

/** Defines a test; its name is a sentence. */
export const test = (name, body) => tests.push({ name, body });

export async function begin(given) {
  surroundings = given;
  mkdirSync(given.screenshots, { recursive: true });
  browser = await browsers.launch({ executablePath: given.chromium, args: QUIET });
}

export const end = () => browser.close();

/** Runs a test; gives null, or why it failed. */
export async function run(name) {
  const { body } = tests.find((one) => one.name === name);
  visits = [];
  try {
    await body();
    for (const visit of visits) assert.deepEqual(visit.wrongs, [], 'what went wrong in the page');
    return null;
  } catch (failure) {
    const file = `${surroundings.screenshots}/${name.replace(/[^a-z0-9]+/gi, '-').slice(0, 80)}.png`;
    await visits.at(-1)?.screenshot({ path: file }).catch(() => {});
    return `${failure.stack ?? failure}\nThe page is shown in ${file}`;
  } finally {
    await Promise.all(visits.map((visit) => visit.context().close()));
  }
}

/** A server by its name; the same for all tests. Its port and its store stay the same, too. */
export class Server {
  constructor(name, yaml, prepare = async () => {}) {
    this.name = name;
    this.yaml = yaml;
    this.prepare = prepare;
    this.token = null;
  }

  /** Starts it, and the first time puts into it what it is for. */
  async ready() {
    this.prepared ??= this.start().then(() => this.prepare(this));
    await this.prepared;
    return this;
  }

  async start() {
    this.address = (await surroundings.ask({ start: this.name, yaml: this.yaml })).address;
  }

  /** Stops it, does something, and starts it again at the same port, whatever happens. */
  async whileStopped(body) {
    await surroundings.ask({ stop: this.name });
    try {
      await body();
    } finally {
      await this.start();
    }
  }

  async call(method, path, body, { type = 'application/json', token = this.token } = {}) {
    const response = await fetch(this.address + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'Content-Type': type }), ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path} was answered with ${response.status}: ${text}`);
    return type === 'application/json' && text.startsWith('{') ? JSON.parse(text) : text;
  }

  get = (path) => this.call('GET', path);
  post = (path, body = {}) => this.call('POST', path, body);

  /** Hands in many messages at once. */
  batch(messages) {
    return this.call('POST', '/v1/messages/batch', messages.map((one) => JSON.stringify(one)).join('\n'), { type: 'application/x-ndjson' });
  }

  /** Resolves once an answer is as wanted. */
  until(path, wanted) {
    return eventually(`${path} is as wanted`, async () => {
      const answer = await this.get(path);
      return wanted(answer) ? answer : null;
    });
  }
}

/** Waits until something holds: gives what `condition` gives, once that is true. */
export async function eventually(what, condition) {
  const end = Date.now() + LONGEST;
  let last = null;
  while (Date.now() < end) {
    try {
      const result = await condition();
      if (result) return result;
      last = null;
    } catch (failure) {
      last = failure;
    }
    await new Promise((resolve) => { setTimeout(resolve, 25); });
  }
  throw new Error(`It never came true that ${what}${last ? `; at last: ${last.message}` : ''}`);
}

/** A way to a server that can be blocked: connections stay open then, are taken, and nothing comes through. */
export async function detour(server) {
  const { port } = new URL(server.address);
  const sockets = new Set();
  let blocked = false;
  const proxy = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    for (const [one, other] of [[near, far], [far, near]]) {
      sockets.add(one);
      one.on('data', (bytes) => other.write(bytes)).on('end', () => other.end()).on('error', () => other.destroy()).on('close', () => { sockets.delete(one); other.destroy(); });
      if (blocked) one.pause();
    }
  });
  await new Promise((resolve) => { proxy.listen(0, '127.0.0.1', resolve); });
  const set = (now) => { blocked = now; sockets.forEach((socket) => (now ? socket.pause() : socket.resume())); };
  return {
    address: `http://127.0.0.1:${proxy.address().port}`,
    token: server.token,
    block: () => set(true),
    unblock: () => set(false),
    close: () => { proxy.close(); sockets.forEach((socket) => socket.destroy()); },
  };
}

/** Opens a page of the dashboard, by the way a person would. What goes wrong in it fails the test. `clock`: its time can be put forward. */
export async function visit(server, place, { size = DESK, scheme = 'light', token = server.token, touch = false, clock = false } = {}) {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, hasTouch: touch, locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
  context.setDefaultTimeout(LONGEST);
  const page = await context.newPage();
  page.wrongs = [];
  page.on('pageerror', (error) => page.wrongs.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => { page.wrongs.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('console', (message) => { if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) page.wrongs.push(`console: ${message.text()}`); });
  page.on('request', (request) => { if (!request.url().startsWith(server.address) && !/^(data|blob):/.test(request.url())) page.wrongs.push(`request: ${request.url()}`); });
  visits.push(page);
  if (clock) await page.clock.install();
  if (token) await page.addInitScript((secret) => { sessionStorage.setItem('postrider-token', secret); }, token);
  await page.goto(`${server.address}/#/${place}`);
  return page;
}

/** Goes to another place of the dashboard without loading it anew, and waits for it. */
export async function go(page, place) {
  await page.evaluate((hash) => { location.hash = hash; }, `#/${place}`);
  await settled(page, place);
}

/** Waits until a page is there with its data. */
export async function settled(page, place) {
  const name = place.split(/[/?]/)[0];
  await page.locator(`page-${name} h1`).first().waitFor();
  await page.waitForFunction((tag) => {
    const element = document.querySelector(tag);
    return element && ![...element.querySelectorAll('[role=status], .empty')].some((each) => each.textContent.trim() === 'Loading…');
  }, `page-${name}`);
}

/** The names of the pages in the menu. */
export const pagesOf = (page) => page.locator('nav a').evaluateAll((links) => links.map((link) => link.getAttribute('href').slice(2)));

/** Waits until the page shows a text somewhere in its content. */
export const shows = (page, text) => page.locator('main').getByText(text).first().waitFor();

/** What sticks out of the page to the right, if anything. */
export const tooWide = (page) => page.evaluate(() => {
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= room) return null;
  const wide = [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > room + 1 && !one.closest('.scroll, pre'));
  return `${document.documentElement.scrollWidth} of ${room}: ${wide.slice(0, 3).map((one) => `${one.localName}.${one.className}`).join(', ')}`;
});

/** Lets the page get another answer: what `change` makes of the server's. */
export const altered = (page, url, change) => page.route(url, async (route) => {
  try {
    const response = await route.fetch();
    await route.fulfill({ response, json: await change(await response.json(), route.request()) });
  } catch {
    // The page has gone meanwhile.
  }
});

/** Lets the server get a request, and the page no answer. */
export const unanswered = (page, url) => page.route(url, async (route) => {
  await route.fetch().catch(() => {});
  await route.abort().catch(() => {});
});

/** Sends messages at a steady rate until it is stopped. */
export function traffic(server, perSecond, message = (n) => ({ account: 'sandbox', to: `load-${n % 40}`, text: `load ${n}` })) {
  const under = new Set();
  let sent = 0;
  const timer = setInterval(() => {
    const going = server.post('/v1/messages', message(sent)).then(() => { sent += 1; }, () => {}).finally(() => under.delete(going));
    under.add(going);
  }, 1000 / perSecond);
  return {
    /** Resolves when so many more have been accepted: something has happened meanwhile. */
    more: (amount) => { const goal = sent + amount; return eventually(`${amount} more messages were accepted`, () => sent >= goal); },
    stop: async () => { clearInterval(timer); await Promise.all(under); },
  };
}
