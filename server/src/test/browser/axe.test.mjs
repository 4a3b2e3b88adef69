import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PHONE, go, settled, test, visit } from './harness.mjs';
import { places } from './places.mjs';
import { guarded, lively } from './servers.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What breaks the rules of level A or AA, in words. */
async function broken(page, only = null) {
  if (!(await page.evaluate(() => Boolean(globalThis.axe)))) await page.evaluate(AXE);
  const { violations } = await page.evaluate((options) => globalThis.axe.run(document, options), { runOnly: only ?? RULES, resultTypes: ['violations'] });
  return violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.slice(0, 4).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`).join(' | ')}`);
}

test('no page breaks a rule of accessibility in either theme', async () => {
  const server = await lively.ready();
  const all = await places(server);
  const page = await visit(server, 'overview');
  const found = [];
  for (const place of all) {
    await go(page, place);
    await page.emulateMedia({ colorScheme: 'light' });
    found.push(...(await broken(page)).map((one) => `${place}, light: ${one}`));
    await page.emulateMedia({ colorScheme: 'dark' });
    found.push(...(await broken(page, ['color-contrast'])).map((one) => `${place}, dark: ${one}`));
  }
  assert.deepEqual(found, []);
});

test('no page breaks a rule of accessibility on the phone', async () => {
  const server = await lively.ready();
  const page = await visit(server, 'overview', { size: PHONE, touch: true });
  const found = [];
  for (const place of ['overview', 'waiting', 'messages', 'dead-letters', 'conversations', 'reminders', 'accounts']) {
    await go(page, place);
    found.push(...(await broken(page)).map((one) => `${place}: ${one}`));
  }
  assert.deepEqual(found, []);
});

test('headings are in order on every page', async () => {
  const server = await lively.ready();
  const all = await places(server);
  const page = await visit(server, 'overview');
  const found = [];
  for (const place of all) {
    await go(page, place);
    const levels = await page.locator('main :is(h1, h2, h3, h4)').evaluateAll((all) => all.map((one) => Number(one.localName[1])));
    if (levels[0] !== 1 || levels.some((level, i) => i > 0 && level > levels[i - 1] + 1)) found.push(`${place}: ${levels}`);
  }
  assert.deepEqual(found, []);
});

const DIALOGS = {
  keys: async (page) => { await settled(page, 'overview'); await page.keyboard.press('?'); },
  pause: async (page) => { await go(page, 'accounts'); await page.getByRole('button', { name: 'Pause' }).first().click(); },
  pairing: async (page) => { await go(page, 'accounts'); await page.getByRole('button', { name: 'Log in' }).click(); await page.getByRole('dialog').getByRole('img').waitFor(); },
  menu: async (page) => { await go(page, 'settings'); await page.locator('header .menu summary').click(); },
  confirm: async (page) => { await go(page, 'reminders'); await page.getByRole('button', { name: 'Delete' }).first().click(); },
  bulk: async (page) => { await go(page, 'dead-letters'); await page.getByRole('button', { name: 'Replay all…' }).click(); await page.getByRole('button', { name: /^Replay \d+ messages/ }).waitFor(); },
  'bulk with a reason': async (page) => { await go(page, 'waiting'); await page.getByRole('button', { name: 'Pause all…' }).click(); await page.getByLabel('Why').waitFor(); },
  'edit and replay': async (page) => { await go(page, 'dead-letters'); await page.getByRole('button', { name: 'Edit…' }).first().click(); await page.getByRole('dialog').locator('pre').waitFor(); },
  toast: async (page) => {
    await go(page, 'accounts');
    await page.locator('tr[data-row]', { hasText: 'sandbox' }).last().getByRole('button', { name: 'Check' }).click();
    await page.locator('.toast').waitFor();
    await go(page, 'dead-letters');
    await page.getByRole('button', { name: 'Discard' }).last().click();
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).hover();
  },
};

/** Those that are no dialogs. */
const OPEN = ['menu', 'toast'];

test('no open dialog or menu breaks a rule of accessibility in either theme', async () => {
  const server = await lively.ready();
  const found = [];
  for (const [name, open] of Object.entries(DIALOGS)) {
    const page = await visit(server, 'overview');
    await open(page);
    if (!OPEN.includes(name)) await page.locator('dialog[open]').waitFor();
    found.push(...(await broken(page)).map((one) => `${name}, light: ${one}`));
    await page.emulateMedia({ colorScheme: 'dark' });
    found.push(...(await broken(page, ['color-contrast'])).map((one) => `${name}, dark: ${one}`));
    if (name === 'toast') await page.getByRole('button', { name: 'Undo' }).click();
  }
  assert.deepEqual(found, []);
});

test('the login breaks no rule of accessibility in either theme', async () => {
  const page = await visit(await guarded.ready(), 'overview');
  await page.getByRole('dialog', { name: 'Log in' }).waitFor();
  const light = await broken(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.deepEqual([...light, ...await broken(page, ['color-contrast'])], []);
});
