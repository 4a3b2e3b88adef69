import assert from 'node:assert/strict';
import { eventually, go, settled, shows, test, visit } from './harness.mjs';
import { BACKLOG, crowded } from './servers.mjs';

test(`with ${BACKLOG} waiting messages the lists work, and no request is large`, async () => {
  const server = await crowded.ready();
  const page = await visit(server, 'overview');
  const answers = [];
  page.on('response', (response) => { if (response.url().includes('/v1/') && !response.url().includes('/events')) answers.push(response.body().then((body) => ({ url: response.url(), size: body.length }), () => null)); });
  await settled(page, 'overview');
  await shows(page, '50,000');
  await go(page, 'waiting');
  await shows(page, 'The hall is full');
  await go(page, 'messages?status=queued');
  const rows = page.locator('main [data-rows] [data-row]');
  await rows.first().waitFor();
  const first = await rows.count();
  assert.ok(first <= 100, `${first} rows at first`);
  await page.getByRole('button', { name: 'Show more' }).click();
  await eventually('more rows are shown', async () => (await rows.count()) > first);
  await rows.nth(first).locator('a.whole').click();
  await shows(page, /the account is paused/);
  await go(page, 'messages?text=Message%2049990');
  await page.locator('main [data-rows]').getByText('Message 49990', { exact: true }).first().waitFor();
  await go(page, 'messages?text=nobody%20has%20said%20this');
  await shows(page, /Looked through/);
  await page.getByRole('button', { name: 'Look further back' }).click();
  await eventually('it has looked further back', async () => !(await page.locator('main .problem').count()) && page.getByRole('button', { name: 'Look further back' }).isVisible());
  const seen = (await Promise.all(answers)).filter(Boolean);
  for (const { url, size } of seen) assert.ok(size < 400_000, `${url} brought ${size} bytes`);
  assert.ok(seen.length < 80, `${seen.length} requests: ${seen.map((one) => one.url).join(' ')}`);
});

test('all messages that match are cancelled, with their number and a bar', async () => {
  const server = await crowded.ready();
  const before = (await server.get('/v1/stats')).queued;
  const page = await visit(server, 'messages?to=chat-77&account=crowd');
  await settled(page, 'messages');
  await page.getByRole('button', { name: /^Cancel all that match/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel 10 messages' }).click();
  await dialog.getByText('10 of 10 cancelled.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await server.until('/v1/stats', (stats) => stats.queued === before - 10);
});
