import assert from 'node:assert/strict';
import { settled, shows, test, visit } from './harness.mjs';
import { lively } from './servers.mjs';

test('the cluster says that there is one node, and who works what', async () => {
  const page = await visit(await lively.ready(), 'cluster');
  await settled(page, 'cluster');
  await shows(page, /This is the only node/);
  await page.locator('tr[data-row]', { hasText: 'answers you' }).getByText('alive').waitFor();
  await page.getByText('7 accounts').click();
  await page.getByRole('link', { name: 'shop' }).first().click();
  await page.getByRole('heading', { name: 'shop' }).waitFor();
});

test('the audit trail says who did what, and goes on by pages', async () => {
  const server = await lively.ready();
  for (let i = 0; i < 60; i += 1) await server.post(`/v1/lanes/${i % 2 ? 'resume' : 'pause'}`, { account: 'sandbox', to: 'audited' });
  const page = await visit(server, 'audit');
  await settled(page, 'audit');
  const rows = page.locator('tr[data-row]');
  const first = await rows.count();
  await rows.first().getByText('lanes resume').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.waitForFunction((amount) => document.querySelectorAll('tr[data-row]').length > amount, first);
  await shows(page, /The newsletter is being rewritten/);
});

test('every call of the API is described, found and has an address and a command', async () => {
  const server = await lively.ready();
  const { paths } = await server.get('/openapi.json');
  const calls = Object.values(paths).flatMap((methods) => Object.keys(methods)).length;
  const page = await visit(server, 'api/post-v1-messages');
  await settled(page, 'api');
  assert.equal(await page.locator('details.operation').count(), calls);
  const send = page.locator('[data-key=post-v1-messages]');
  await send.getByText('The same key on the same account is accepted once.').first().waitFor();
  assert.match(await send.getByLabel('the command for POST /v1/messages', { exact: true }).textContent(), /^curl -sS -X POST 'http.*\/v1\/messages'/);
  await page.getByLabel('Find a call').pressSequentially('runs cancel');
  await page.waitForFunction(() => document.querySelectorAll('details.operation').length === 1);
  await page.locator('[data-key=post-v1-runs-id-cancel] summary').click();
  await page.locator('[data-key=post-v1-runs-id-cancel]').getByText('Answers').waitFor();
});

test('every example of the API is taken apart without a failure', async () => {
  const page = await visit(await lively.ready(), 'api');
  await settled(page, 'api');
  await page.evaluate(() => document.querySelectorAll('details.operation').forEach((one) => { one.open = true; }));
  await page.waitForFunction(() => [...document.querySelectorAll('details.operation')].every((one) => one.querySelector('.stack')));
  assert.equal(await page.locator('.copyable pre:empty').count(), 0);
});
