// Measures what docs/performance.md says of the dashboard: dev/browser-figures.
import { writeFileSync } from 'node:fs';
import { pagesOf, settled, test, traffic, visit } from './harness.mjs';
import { crowded, lively } from './servers.mjs';

const TIMES = 10;
const LONGEST = 30_000;

const kib = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;
const middle = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** What the browser has got over the wire since the page was opened, events aside. */
const brought = (page) => page.evaluate(() => {
  const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].filter((one) => !one.name.includes('/v1/events'));
  return { bytes: all.reduce((sum, one) => sum + one.transferSize, 0), requests: all.length };
});

/** From a click until what it is for is drawn, in milliseconds, measured in the page. */
const clickUntil = (page, click, effect) => page.evaluate(([from, to, limit]) => new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error(`${from} has no effect ${to}`)), limit);
  const begun = performance.now();
  const done = () => document.querySelector(to) && requestAnimationFrame(() => { watch.disconnect(); resolve(performance.now() - begun); });
  const watch = new MutationObserver(done);
  watch.observe(document.body, { childList: true, subtree: true });
  document.querySelector(from).click();
  done();
}), [click, effect, LONGEST]);

/** What a page loads only when it has something to draw has come, too. */
async function drawn(page, place) {
  await settled(page, place);
  if (await page.locator('time-chart').count()) await page.waitForFunction(() => globalThis.Chart);
}

/** An account that sends nothing, on the page that resumes it. */
const ACCOUNT = 'sandbox';
const paused = (server) => server.post(`/v1/accounts/${ACCOUNT}/pause`);

/** [what, what is clicked, what it is for, the page, what must be done before each click]. */
const CLICKS = [
  ['a page of the menu', 'nav a[href="#/messages"]', 'page-messages [data-rows] [data-row]', 'overview'],
  ['a message of the list', 'main [data-rows] a.whole', 'one-message .timeline li', 'messages'],
  ['a dialog', 'header .menu button:last-of-type', 'dialog[open]', 'messages'],
  ['the effect of an action (an account is resumed)', 'main .title .line button:last-child', 'main .title .badge.good', `accounts/${ACCOUNT}`, paused],
];

test('what a page brings, and how long a click takes', async () => {
  const server = await lively.ready();
  const lines = ['| page | first visit | requests | again |', '|---|---|---|---|'];
  const menu = await visit(server, 'overview');
  await settled(menu, 'overview');
  for (const place of await pagesOf(menu)) {
    const page = await visit(server, place);
    await drawn(page, place);
    const first = await brought(page);
    await page.reload();
    await drawn(page, place);
    const again = await brought(page);
    lines.push(`| ${place} | ${kib(first.bytes)} | ${first.requests} | ${kib(again.bytes)} |`);
    await page.context().close();
  }
  lines.push('', '| from a click to | idle | 50 messages a second | 50,000 waiting |', '|---|---|---|---|');
  const crowd = await crowded.ready();
  for (const [what, ...click] of CLICKS) {
    const idle = await measured(server, ...click);
    const load = traffic(server, 50);
    await load.more(50);
    const busy = await measured(server, ...click);
    await load.stop();
    const large = await measured(crowd, ...click);
    lines.push(`| ${what} | ${idle} | ${busy} | ${large} |`);
  }
  writeFileSync(`${import.meta.dirname}/figures.md`, `${lines.join('\n')}\n`);
});

async function measured(server, click, effect, place, before = async () => {}) {
  const times = [];
  const page = await visit(server, place);
  for (let i = 0; i < TIMES; i += 1) {
    await before(server);
    await page.goto(`${server.address}/#/settings`);
    await page.goto(`${server.address}/#/${place}`);
    await settled(page, place);
    await page.locator(click).first().waitFor({ state: 'attached' });
    await page.locator(effect).first().waitFor({ state: 'detached' });
    times.push(await clickUntil(page, click, effect));
    await page.keyboard.press('Escape');
  }
  await page.context().close();
  const sorted = times.toSorted((a, b) => a - b);
  return `${middle(times).toFixed(0)} ms, at most ${sorted.at(-1).toFixed(0)} ms`;
}
