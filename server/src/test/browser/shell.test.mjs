import assert from 'node:assert/strict';
import { DESK, PHONE, WALL, altered, detour, eventually, go, settled, shows, test, tooWide, visit } from './harness.mjs';
import { places } from './places.mjs';
import { frail, lively } from './servers.mjs';

/** What each page shows of the data that is there. */
const KNOWN = {
  overview: /not well/i, waiting: 'The newsletter is being rewritten', messages: 'Hello Team', 'dead-letters': 'Invoice', compose: 'Text', conversations: 'ann',
  reminders: 'Friday notice', accounts: 'shaky', cluster: 'This is the only node', 'sandbox?account=sandbox': 'Your parcel', audit: 'local', api: '/v1/messages',
};

/** Buttons that are too small for a thumb, stick out, or lie under something else. */
const outOfReach = (page) => page.evaluate(() => [...document.querySelectorAll('main :is(button, a.button, label.button)')].filter((one) => one.checkVisibility() && !one.disabled && !one.closest('.scroll.targets')).flatMap((one) => {
  one.scrollIntoView({ block: 'center' });
  const { left, right, top, bottom, height } = one.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const wrong = [height < 24 && `${height} high`, (left < 0 || right > innerWidth) && 'sticks out', !(hit && (one.contains(hit) || hit.contains(one))) && `under ${hit?.localName}.${hit?.className}`].filter(Boolean);
  return wrong.length ? [`${one.textContent.trim()}: ${wrong.join(', ')}`] : [];
}));

/** Cells of cards that say nothing after their name, or whose words stand side by side as if they were several. */
const unclear = (page) => page.evaluate(() => [...document.querySelectorAll('table.cards td[data-name]')].filter((cell) => getComputedStyle(cell).display === 'flex').flatMap((cell) => {
  const pieces = [...cell.childNodes].filter((node) => node.nodeType === Node.ELEMENT_NODE || node.nodeValue.trim() && node.nodeType === Node.TEXT_NODE);
  const says = cell.textContent.trim() || cell.querySelector('input, svg, meter');
  const wrong = [!says && 'is empty', pieces.length > 1 && `is torn: ${cell.textContent.trim()}`].filter(Boolean);
  return wrong.map((what) => `${cell.dataset.name} ${what}`);
}));

/** Whether the menu shows where one is, before it fades. */
const marked = (page) => page.evaluate(() => {
  const nav = document.querySelector('nav');
  const box = nav.querySelector('[aria-current]')?.getBoundingClientRect();
  return !box || (box.left >= 0 && box.right <= innerWidth - parseFloat(getComputedStyle(nav).paddingRight));
});

/** Pages that show nothing that changes, or only what the shell has. */
const STILL = ['api', 'compose', 'settings'];

for (const [name, size] of Object.entries({ desk: DESK, phone: PHONE, wall: WALL })) {
  test(`every page shows what is there and fits the ${name}`, async () => {
    const server = await lively.ready();
    const all = await places(server);
    const page = await visit(server, 'overview', { size, touch: size === PHONE });
    for (const place of all) {
      await go(page, place);
      if (KNOWN[place]) await eventually(`${place} shows ${KNOWN[place]}`, () => page.locator('main').getByText(KNOWN[place]).first().isVisible());
      assert.equal(await tooWide(page), null, `${place} is too wide`);
      assert.equal(await page.locator('main h1').count(), 1, `${place} has one heading`);
      if (size !== PHONE) continue;
      assert.deepEqual(await outOfReach(page), [], `${place} has actions that a thumb reaches`);
      assert.deepEqual(await unclear(page), [], `${place} has cards that can be read`);
      assert.ok(await marked(page), `the menu shows that one is at ${place}`);
    }
    if (size === PHONE) {
      const share = await page.evaluate(() => document.querySelector('nav').getBoundingClientRect().bottom / innerHeight);
      assert.ok(share <= 0.15, `header and menu take ${share} of the phone`);
    }
  });
}

test('moments of other days stay within their columns', async () => {
  const page = await visit(await lively.ready(), 'settings', { clock: true });
  await page.clock.setSystemTime(Date.now() + 3 * 86_400_000);
  const wide = [];
  for (const place of ['overview', 'waiting', 'messages', 'dead-letters', 'cluster', 'audit']) {
    await go(page, place);
    wide.push(...await page.evaluate(() => [...document.querySelectorAll('main td')].filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent.trim())));
  }
  assert.deepEqual(wide, []);
});

test('what is one is spoken of as one', async () => {
  const page = await visit(await lively.ready(), 'conversations');
  await shows(page, '1 message from people could not be handled. See why, and replay or discard it.');
  await go(page, 'overview');
  const problem = page.locator('.problems li', { hasText: '1 message from people' });
  await page.getByRole('button', { name: /^Show all/ }).click();
  await problem.getByText('It stays until somebody replays or discards it.').waitFor();
});

test('the page says whether the server is well, and why not', async () => {
  const page = await visit(await lively.ready(), 'settings');
  const health = page.locator('#health');
  await health.getByText('degraded').waitFor();
  assert.match(await health.getAttribute('title'), /shaky|far/);
});

test('when the server stops, a banner spans the page and figures are old; it comes back by itself', async () => {
  const server = await frail.ready();
  const page = await visit(server, 'accounts');
  await settled(page, 'accounts');
  const banner = page.locator('.offline');
  await server.whileStopped(async () => {
    await banner.waitFor();
    const { x, width } = await banner.boundingBox();
    const main = await page.locator('main').boundingBox();
    assert.ok(x <= main.x && x + width >= main.x + main.width, 'the banner spans the content');
    assert.match(await banner.textContent(), /figures are from/);
    assert.equal(await page.locator('#health').textContent(), 'offline');
    await page.locator('main.old').waitFor();
    await shows(page, 'sandbox');
  });
  await banner.waitFor({ state: 'detached' });
  await page.locator('main:not(.old)').waitFor();
  await page.locator('#health').getByText('live').waitFor();
});

test('a server that hangs is said to be gone, and the page goes on when it answers again', async () => {
  const way = await detour(await frail.ready());
  const page = await visit(way, 'accounts', { clock: true });
  await settled(page, 'accounts');
  await page.locator('#health').getByText('live').waitFor();
  way.block();
  await page.clock.fastForward(20_000);
  assert.equal(await page.locator('.offline').count(), 0, 'it may be silent for so long');
  await page.clock.fastForward(20_000);
  await page.locator('.offline', { hasText: 'figures are from' }).waitFor();
  way.unblock();
  await page.locator('.offline').waitFor({ state: 'detached' });
  way.close();
});

test('a page that is opened while the server is down comes up when it does, in its own version', async () => {
  const server = await frail.ready();
  const page = await visit(server, 'cluster');
  await settled(page, 'cluster');
  await server.whileStopped(async () => {
    await page.evaluate(() => { location.hash = '#/accounts?text=sand'; });
    await page.locator('.offline').waitFor();
    await shows(page, 'This page could not be loaded: the server does not answer.');
    assert.equal(await page.locator('page-cluster').count(), 0, 'no page stands under the mark of another');
  });
  await settled(page, 'accounts');
  await shows(page, 'sandbox');
  assert.match(page.url(), /#\/accounts\?text=sand$/);
});

test('a page whose file does not come is asked for with a new document once, and then says so', async () => {
  const server = await frail.ready();
  const page = await visit(server, 'cluster');
  let documents = 0;
  page.on('load', () => { documents += 1; });
  await settled(page, 'cluster');
  await page.route('**/assets/parts/pairing.js', (route) => route.abort());
  await page.evaluate(() => { location.hash = '#/accounts'; });
  await shows(page, /although the server answers/);
  assert.equal(documents, 1);
  assert.equal(await page.locator('nav [aria-current]').textContent().then((text) => text.trim()), 'Accounts');
  await page.unroute('**/assets/parts/pairing.js');
  await page.getByRole('button', { name: 'Load it again' }).click();
  await settled(page, 'accounts');
});

test('after the server was upgraded, the next page comes with a document of the new version', async () => {
  const server = await frail.ready();
  const page = await visit(server, 'cluster');
  await settled(page, 'cluster');
  await page.evaluate(() => { globalThis.before = true; });
  await altered(page, '**/v1/me', (me) => ({ ...me, version: 'another' }));
  const learnt = page.waitForResponse((response) => response.url().endsWith('/v1/me') && response.ok());
  await server.whileStopped(() => page.locator('.offline').waitFor());
  await learnt;
  await eventually('the next page has a new document', async () => {
    await go(page, 'settings');
    await go(page, 'audit');
    return page.evaluate(() => globalThis.before === undefined);
  });
  await settled(page, 'audit');
});

test('every page says from when it is if it cannot be renewed', async () => {
  const server = await lively.ready();
  const kinds = new Map((await places(server)).filter((place) => place !== 'reminder/new').map((place) => [place.replace(/\/.*/, '/'), place]));
  const all = [...kinds.values()].filter((place) => !STILL.includes(place.split(/[/?]/)[0]));
  const page = await visit(server, 'overview', { clock: true });
  const missing = [];
  for (const place of all) {
    await go(page, place);
    await page.route(/\/v1\/(?!events)/, (route) => route.fulfill({ status: 503, json: { detail: 'The store is away.' } }));
    await page.clock.fastForward(31_000);
    await page.locator('.offline', { hasText: 'The counts of the menu' }).waitFor();
    const said = page.locator('main').getByText(/The store is away\. What you see is from/).first();
    if (!(await said.waitFor({ timeout: 5000 }).then(() => true, () => false))) missing.push(place);
    await page.unrouteAll();
    await page.clock.fastForward(5000);
    await page.locator('.offline').waitFor({ state: 'detached' });
  }
  assert.deepEqual(missing, []);
});

test('keys: / goes to the search, j and k move, Enter opens, ? tells them all', async () => {
  const page = await visit(await lively.ready(), 'accounts');
  await settled(page, 'accounts');
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('type')), 'search');
  await page.keyboard.type('j?');
  assert.equal(await page.evaluate(() => document.activeElement.value), 'j?');
  await page.getByLabel('Find an account').fill('');
  await page.evaluate(() => document.activeElement.blur());
  const focused = () => page.evaluate(() => [...document.querySelectorAll('main [data-row]')].findIndex((row) => row.contains(document.activeElement)));
  await page.keyboard.press('j');
  assert.equal(await focused(), 0);
  await page.keyboard.press('j');
  assert.equal(await focused(), 1);
  await page.keyboard.press('k');
  assert.equal(await focused(), 0);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const address = await page.evaluate(() => document.activeElement.getAttribute('href'));
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.hash === address);
});

test('what a viewer chooses for this browser holds: time zone and colours', async () => {
  const page = await visit(await lively.ready(), 'settings');
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await shows(page, /GMT\+9/);
  const ground = () => page.evaluate(() => getComputedStyle(document.body.parentElement).getPropertyValue('--ground').trim());
  const light = await ground();
  await page.getByLabel('Colours').selectOption('dark');
  assert.notEqual(await ground(), light);
  await page.reload();
  await shows(page, /GMT\+9/);
  assert.notEqual(await ground(), light);
});
