import assert from 'node:assert/strict';
import { PHONE, eventually, settled, test, traffic, visit } from './harness.mjs';
import { busy } from './servers.mjs';

const PER_SECOND = 50;

/** Runs something while messages come in. */
async function underLoad(body) {
  const server = await busy.ready();
  const load = traffic(server, PER_SECOND);
  try {
    await load.more(10);
    await body(server, load);
  } finally {
    await load.stop();
  }
}

/** Which element the last click of a person arrived at, by the text of its row. */
const watchClicks = (page) => page.evaluate(() => {
  addEventListener('click', (event) => { globalThis.clicked = event.target.closest('[data-row]')?.dataset.wanted ?? 'elsewhere'; event.preventDefault(); event.stopImmediatePropagation(); }, true);
});

/** Where the n-th thing of a kind is that can be seen. */
const find = (page, selector, turn) => page.evaluate(([wanted, n]) => {
  const all = [...document.querySelectorAll(wanted)].filter((one) => { const box = one.getBoundingClientRect(); return box.top > 120 && box.bottom < innerHeight && box.width > 0; });
  if (all.length === 0) return null;
  const { left, top, width, height } = all[n % all.length].getBoundingClientRect();
  return { x: left + Math.min(width / 2, 40), y: top + height / 2 };
}, [selector, turn]);

/** Marks the row of the thing that the hand has come to rest on; whether there is one. */
const restsOn = (page, selector, { x, y }) => page.evaluate(([wanted, left, top]) => {
  const under = document.elementFromPoint(left, top)?.closest(wanted);
  document.querySelectorAll('[data-wanted]').forEach((one) => { delete one.dataset.wanted; });
  globalThis.clicked = 'nothing';
  if (under) under.closest('[data-row]').dataset.wanted = 'the wanted row';
  return Boolean(under);
}, [selector, x, y]);

/** Points at something in a row as a person does: goes there, reads, and clicks a moment later, while things happen. */
async function pointAndClick(page, load, selector, turn) {
  await eventually(`the hand rests on ${selector}`, async () => {
    await page.mouse.move(5, 300);
    const at = await find(page, selector, turn);
    if (!at) return false;
    await page.mouse.move(at.x, at.y);
    return restsOn(page, selector, at);
  });
  await load.more(4);
  await page.mouse.down();
  await load.more(2);
  await page.mouse.up();
  return page.evaluate(() => globalThis.clicked);
}

for (const [place, selector] of Object.entries({
  messages: 'main [data-rows] a.whole', 'dead-letters': 'main [data-rows] button', accounts: 'main [data-rows] button', overview: 'main .problems button', waiting: 'main [data-row] a.whole',
})) {
  test(`20 of 20 clicks arrive on ${place} at ${PER_SECOND} messages a second`, () => underLoad(async (server, load) => {
    const page = await visit(server, place);
    await settled(page, place);
    await page.locator(selector).first().waitFor();
    await watchClicks(page);
    const arrived = [];
    for (let turn = 0; turn < 20; turn += 1) arrived.push(await pointAndClick(page, load, selector, turn));
    assert.deepEqual(arrived, Array(20).fill('the wanted row'));
  }));
}

test('what is typed into a filter is kept letter by letter under load', () => underLoad(async (server, load) => {
  const text = 'said by nobody';
  for (const [place, label] of [['accounts', 'Find an account'], ['messages', 'Text contains'], ['dead-letters', 'Text contains'], ['api', 'Find a call']]) {
    const page = await visit(server, place);
    await settled(page, place);
    const field = page.getByLabel(label);
    await field.click();
    for (const letter of text) {
      await page.keyboard.type(letter);
      await load.more(1);
    }
    assert.equal(await field.inputValue(), text, place);
    assert.ok(await field.evaluate((one) => one === document.activeElement), `${place} keeps the focus`);
  }
}));

test('an open menu, open details, a chosen value and a dialog stay as they are under load', () => underLoad(async (server, load) => {
  const page = await visit(server, 'messages');
  await settled(page, 'messages');
  await page.locator('header .menu summary').click();
  await page.locator('main details summary').first().click();
  await load.more(60);
  assert.ok(await page.locator('header .menu').evaluate((menu) => menu.open));
  assert.ok(await page.locator('main details').first().evaluate((details) => details.open));
  await page.goto(`${server.address}/#/accounts`);
  await page.locator('tr[data-row]', { hasText: 'shop' }).getByRole('button', { name: 'Pause' }).click();
  const reason = page.getByLabel('Reason, for whoever wonders');
  await reason.fill('half a sent');
  await load.more(60);
  assert.equal(await reason.inputValue(), 'half a sent');
  assert.ok(await reason.evaluate((one) => one === document.activeElement));
}));

test('selected text stays selected, and rows that one reads stay where they are', () => underLoad(async (server, load) => {
  const page = await visit(server, 'messages');
  const cell = page.locator('main [data-rows] a.whole').nth(3);
  await cell.waitFor();
  await cell.evaluate((one) => getSelection().selectAllChildren(one));
  const selected = await page.evaluate(() => getSelection().toString());
  const top = (await cell.boundingBox()).y;
  await load.more(120);
  assert.equal(await page.evaluate(() => getSelection().toString()), selected);
  assert.equal(Math.round((await cell.boundingBox()).y), Math.round(top));
}));

test('a phone’s page stays where it was scrolled to while rows come in', () => underLoad(async (server, load) => {
  const page = await visit(server, 'messages', { size: PHONE, touch: true });
  await page.locator('main [data-rows] [data-row]').nth(20).waitFor();
  await page.locator('main [data-rows] a.whole').nth(12).focus();
  await page.locator('main [data-rows] a.whole').nth(12).evaluate((one) => one.scrollIntoView({ block: 'center' }));
  const where = () => page.evaluate(() => [Math.round(document.activeElement.getBoundingClientRect().top), document.activeElement.textContent]);
  const before = await where();
  await load.more(120);
  const [top, text] = await where();
  assert.equal(text, before[1]);
  assert.ok(Math.abs(top - before[0]) <= 2, `it was at ${before[0]} and is at ${top}`); // browsers round where they scroll to
}));
