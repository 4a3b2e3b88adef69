import assert from 'node:assert/strict';
import { eventually, go, settled, shows, test, visit } from './harness.mjs';
import { workshop } from './servers.mjs';

const WEEK = 7 * 24 * 3_600_000;

const reminder = (server, more) => server.post('/v1/reminders', {
  account: 'sandbox', timezone: 'UTC', window: { start: '00:00', end: '24:00', onClose: 'stop' }, targets: [{ to: 'one', variables: { word: 'Hello' } }], messages: [{ text: '{{word}}' }], ...more,
});
const toast = (page, text) => page.locator('.toast', { hasText: text }).first();
const firings = (page) => page.locator('.firings li');

test('a reminder is edited: targets from a file with mistakes by line, a preview, firings that fit or do not, saved, switched off and deleted', async () => {
  const server = await workshop.ready();
  const made = await reminder(server, { name: 'To be edited', schedule: { cron: '0 9 * * MON' } });
  const page = await visit(server, `reminder/${made.id}`);
  await settled(page, 'reminder');
  await eventually('five firings are told', async () => (await firings(page).count()) === 5);
  await firings(page).first().getByText('fits', { exact: true }).waitFor();

  const file = (name, lines) => page.locator('target-list input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
  await file('wrong.csv', ['to,word', 'ann,Hi', 'ann,Hi', ',nobody']);
  await page.getByText('Line 3: ann is there already, in line 2').waitFor();
  await page.getByText('Line 4: names no chat').waitFor();
  await page.locator('reminder-outlook').getByText('2 mistakes must be corrected first.').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await toast(page, '2 mistakes; correct them first').waitFor();
  await file('right.csv', ['to,word', ...Array.from({ length: 200 }, (_, n) => `chat-${n},Good day ${n}`)]);
  await page.locator('target-list').getByText('200 targets.').waitFor();
  await page.locator('message-preview').getByText('Good day 0').waitFor();
  await page.locator('message-preview').getByText(/sandbox, 1 part/).waitFor();

  await page.locator('[data-field="window.start"] input').fill('09:00');
  await page.locator('[data-field="window.end"] input').fill('09:02');
  await page.locator('[data-field="perMinute"] input').fill('40');
  await firings(page).first().getByText('does not fit').waitFor();
  await page.locator('[data-field="expiresIn"] input').fill('soon');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('[data-field="expiresIn"] input[aria-invalid=true]').waitFor();
  await page.locator('[data-field="expiresIn"] input').fill('1d');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await toast(page, 'Saved.').waitFor();
  const saved = await server.get(`/v1/reminders/${made.id}`);
  assert.deepEqual([saved.targetCount, saved.window.start, saved.perMinute, saved.expiresIn], [200, '09:00', 40, '24h']);

  await page.getByLabel('Name', { exact: true }).fill('Not to be kept');
  await page.getByRole('link', { name: '← All reminders' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Not to be kept');
  await page.getByRole('link', { name: '← All reminders' }).click();
  await page.getByRole('button', { name: 'Leave without saving' }).click();
  const row = page.locator('page-reminders section', { has: page.getByRole('heading', { name: 'All reminders' }) }).locator('tr[data-row]', { hasText: 'To be edited' });
  await row.getByRole('button', { name: 'Switch off' }).click();
  await row.getByText('switched off').waitFor();
  await row.getByRole('button', { name: 'Switch on' }).click();
  await row.getByText('switched off').waitFor({ state: 'detached' });
  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete it with 200 targets' }).click();
  await row.waitFor({ state: 'detached' });
});

test('a test of a reminder goes to one chat, with its files and other values', async () => {
  const server = await workshop.ready();
  const made = await reminder(server, { name: 'To be tried' });
  const page = await visit(server, `reminder/${made.id}`);
  await settled(page, 'reminder');
  await page.locator('message-fields input[type=file]').setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') });
  await page.locator('message-fields').getByText('plan.txt').first().waitFor();
  await page.getByRole('button', { name: 'Save and send a test' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Chat').fill('tester');
  assert.equal(await dialog.getByLabel('{{word}}').inputValue(), 'Hello');
  await dialog.getByLabel('{{word}}').fill('Only a test');
  await dialog.getByRole('button', { name: 'Send 1 message' }).click();
  await toast(page, 'on the way to tester').getByRole('button', { name: 'Show' }).click();
  await shows(page, 'Only a test');
  const { items: [sent] } = await server.until('/v1/messages?to=tester', ({ items }) => items[0]?.status === 'delivered');
  assert.equal(sent.media[0].filename, 'plan.txt');
});

test('every page shows one zone, the viewer’s, and every moment exactly at a touch and with a key', async () => {
  const server = await workshop.ready();
  const made = await reminder(server, { name: 'In Tokyo', timezone: 'Asia/Tokyo', schedule: { cron: '30 9 * * MON' }, window: { start: '09:00', end: '18:00', onClose: 'stop' } });
  const page = await visit(server, `reminder/${made.id}`);
  await page.evaluate(() => localStorage.setItem('postrider-settings', JSON.stringify({ timeZone: 'America/New_York' })));
  await page.reload();
  await settled(page, 'reminder');
  const next = firings(page).first();
  await next.getByText('(09:30 in Asia/Tokyo)').waitFor();
  const at = (await server.get(`/v1/reminders/${made.id}`)).nextFiringAt;
  const there = new Date(at).toLocaleTimeString('en-GB', { timeZone: 'America/New_York', hour: '2-digit', minute: '2-digit' });
  assert.match(await next.locator('time').first().textContent(), new RegExp(`, ${there}$`));

  await go(page, 'compose');
  await page.getByText('Options').click();
  const field = page.getByLabel('Not before (in America/New_York)');
  const wall = new Date(Date.now() + WEEK).toLocaleString('sv-SE', { timeZone: 'America/New_York' }).slice(0, 16).replace(' ', 'T');
  await page.getByLabel('Chat').fill('zoned');
  await page.getByRole('textbox', { name: 'Text' }).fill('In a week');
  await field.fill(wall);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await shows(page, /It is accepted/);
  const { items: [message] } = await server.get('/v1/messages?to=zoned');
  assert.ok(Math.abs(Date.parse(message.sendAt) - Date.now() - WEEK) < 120_000, `${wall} became ${message.sendAt}`);
  await server.post(`/v1/messages/${message.id}/cancel`);
  await page.locator('one-message').getByText('cancelled').first().waitFor();

  const time = page.locator('one-message time').first();
  const exact = await time.getAttribute('title');
  assert.match(exact, /\.\d{3} (EST|EDT|GMT-\d)/);
  await time.click();
  await toast(page, exact).waitFor();
  const shown = () => time.evaluate((one) => getComputedStyle(one, '::after').content);
  assert.equal(await shown(), 'none');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('t');
  assert.ok((await shown()).includes(exact), await shown());
});
