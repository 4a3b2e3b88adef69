import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { eventually, settled, shows, test, visit } from './harness.mjs';
import { lively, workshop } from './servers.mjs';

const ALWAYS = { start: '00:00', end: '24:00', onClose: 'stop' };

/** A run of a new reminder. */
async function fired(server, name, account, targets, text) {
  const reminder = await server.post('/v1/reminders', { name, account, timezone: 'UTC', window: ALWAYS, perMinute: 60_000, targets, messages: [{ text }] });
  return server.post(`/v1/reminders/${reminder.id}/fire`);
}

const many = (amount) => Array.from({ length: amount }, (_, i) => ({ to: `buyer-${i}` }));
const rows = (page) => page.locator('run-targets tr[data-row]');

test('a reminder is created with its targets and fired', async () => {
  const server = await workshop.ready();
  const page = await visit(server, 'reminder/new');
  await settled(page, 'reminder');
  await page.getByLabel('Name', { exact: true }).fill('Board meeting');
  await page.locator('target-list textarea').fill('to,name\nmember-1,Ann\nmember-2,Bob');
  await page.locator('message-fields textarea').first().fill('Hello {{name}}, see you at six.');
  await page.locator('[data-field="window.start"] input').fill('00:00');
  await page.locator('[data-field="window.end"] input').fill('24:00');
  await page.getByRole('button', { name: 'Create reminder' }).click();
  await page.getByRole('button', { name: 'Fire now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send to 2 chats' }).click();
  await page.locator('page-run').getByText(/2 of 2 chats reached/).first().waitFor();
  const { items } = await server.get('/v1/messages?to=member-1');
  assert.equal(items[0].text, 'Hello Ann, see you at six.');
});

test('a run is paused with a reason, resumed and cancelled; its bar shows what was done, not what was given up', async () => {
  const server = await workshop.ready();
  const run = await fired(server, 'Slow sale', 'shop', many(30), 'Sale');
  const page = await visit(server, `run/${run.id}`);
  await page.getByRole('button', { name: 'Pause…' }).click();
  await page.getByLabel('Why, for others who look').fill('Too early in the day');
  await page.getByRole('button', { name: /^Pause with \d+ waiting/ }).click();
  await shows(page, /Too early in the day/);
  await page.goto(`${server.address}/#/overview`);
  const problem = page.locator('.problems li', { hasText: 'Too early in the day' });
  await problem.getByText('Slow sale').waitFor();
  await shows(page, 'Somebody is needed');
  await problem.getByRole('button', { name: 'Resume' }).click();
  await page.goto(`${server.address}/#/run/${run.id}`);
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await page.getByRole('button', { name: /^End it without \d+ chats/ }).click();
  const ended = await server.until(`/v1/runs/${run.id}`, ({ status, sending }) => status === 'cancelled' && sending === 0);
  const tried = ended.sent + ended.failed;
  await shows(page, new RegExp(`\\(${Math.floor((100 * tried) / 30)} %\\)`));
  const bar = page.locator('page-run .bar');
  assert.equal(await bar.getAttribute('aria-valuenow'), `${tried}`);
  const wide = await bar.evaluate((one) => one.querySelector('.given').getBoundingClientRect().width / one.getBoundingClientRect().width);
  assert.ok(Math.abs(wide - ended.cancelled / 30) < 0.02, `${wide} of the bar is given up`);
  await page.getByRole('button', { name: 'From another account…' }).click();
  await page.getByRole('dialog').getByLabel('Account').selectOption('spare');
  await page.getByRole('button', { name: `Send to ${30 - ended.sent} chats` }).click();
  await server.until(`/v1/runs/${run.id}`, ({ status }) => status === 'success');
  await shows(page, '30 of 30 chats reached (100 %)');
});

test('the targets of a run are found by state and by reason, saved as a table, and what failed is tried again', async () => {
  const server = await workshop.ready();
  const targets = ['ann', 'bob', 'cid', 'dee', 'eve'].map((to, i) => ({ to: `list-${to}`, variables: { word: i < 2 ? '#fail' : 'hello' } }));
  const run = await fired(server, 'Short list', 'sandbox', targets, '{{word}}');
  const page = await visit(server, `run/${run.id}`);
  await page.evaluate(() => localStorage.setItem('postrider-settings', JSON.stringify({ notify: true })));
  await page.reload();
  await shows(page, '3 of 5 chats reached, 2 failed (100 %)');
  await page.getByRole('button', { name: /^failed/ }).click();
  await eventually('the failed ones are listed', async () => (await rows(page).count()) === 2);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save failed ones as CSV' }).click();
  const table = readFileSync(await (await saved).path(), 'utf8').trim().split('\n');
  assert.equal(table.length, 3, table.join('\n'));
  assert.match(table[1], /list-ann/);
  await page.getByRole('button', { name: /^All/ }).click();
  await eventually('all are listed', async () => (await rows(page).count()) === 5);
  await page.locator('.reasons button').first().click();
  await eventually('those with the reason are listed', async () => (await rows(page).count()) === 2);
  assert.match(page.url(), /reason=/);
  await page.getByRole('button', { name: 'Retry 2 failed…' }).click();
  await page.getByRole('button', { name: 'Send to 2 chats' }).click();
  await server.until(`/v1/runs/${run.id}`, ({ resumedAt, endedAt }) => resumedAt && endedAt);
  await page.locator('.toast', { hasText: 'Short list' }).getByRole('button', { name: 'Show' }).last().waitFor();
});

test('the reason of a target is looked for by the server, behind any number of others', async () => {
  const server = await workshop.ready();
  const targets = Array.from({ length: 130 }, (_, i) => ({ to: `crowd-${i}`, variables: { word: i === 129 ? '#fail' : 'hello' } }));
  const run = await fired(server, 'Long list', 'sandbox', targets, '{{word}}');
  await server.until(`/v1/runs/${run.id}`, ({ endedAt }) => endedAt);
  const page = await visit(server, `run/${run.id}`);
  await page.locator('.reasons button').first().click();
  await eventually('the last of them is listed', async () => (await rows(page).count()) === 1 && /crowd-129/.test(await rows(page).textContent()));
});

test('runs under way are listed also behind a hundred that have ended, and other accounts are those on the same channel', async () => {
  const server = await workshop.ready();
  const first = await fired(server, 'The long one', 'shop', many(40), 'Sale');
  await server.post(`/v1/runs/${first.id}/pause`, { reason: 'for the test' });
  const short = await server.post('/v1/reminders', { name: 'The short one', account: 'sandbox', timezone: 'UTC', window: ALWAYS, perMinute: 60_000, overlap: 'allow', targets: [{ to: 'short' }], messages: [{ text: 'x' }] });
  for (let n = 0; n < 101; n++) await server.post(`/v1/reminders/${short.id}/fire`);
  const page = await visit(server, 'reminders');
  await page.locator('active-runs tr[data-row]', { hasText: 'The long one' }).waitFor();
  await server.post(`/v1/runs/${first.id}/cancel`);
  const mixed = await lively.ready();
  const run = await fired(mixed, 'From elsewhere', 'shop', many(20), 'Sale');
  await mixed.post(`/v1/runs/${run.id}/pause`, { reason: 'for the test' });
  const other = await visit(mixed, `run/${run.id}`);
  await other.getByRole('button', { name: 'From another account…' }).click();
  const offered = await other.getByRole('dialog').getByLabel('Account').locator('option').evaluateAll((all) => all.map((one) => one.value));
  assert.ok(offered.includes('news') && !offered.includes('far') && !offered.includes('shop'), offered.join());
  await mixed.post(`/v1/runs/${run.id}/cancel`);
});
