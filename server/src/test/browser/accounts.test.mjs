import assert from 'node:assert/strict';
import { go, settled, shows, test, visit } from './harness.mjs';
import { lively } from './servers.mjs';

const row = (page, id) => page.locator('tr[data-row]', { has: page.getByRole('link', { name: id, exact: true }) });

test('accounts say why they are not ready, those in trouble first', async () => {
  const page = await visit(await lively.ready(), 'accounts');
  await settled(page, 'accounts');
  await row(page, 'shaky').getByText('The platform refuses it').waitFor();
  await row(page, 'news').getByText('The newsletter is being rewritten').waitFor();
  await row(page, 'phone').getByText('A person must log it in').waitFor();
  await row(page, 'far').getByText('cannot be reached').first().waitFor();
  const ids = await page.locator('tr[data-row] a.whole').allTextContents();
  assert.equal(ids[0], 'shaky');
  assert.deepEqual(ids.slice(-2).sort(), ['sandbox', 'shop']);
  await shows(page, /of 7 accounts need a look/);
});

test('an account is paused with a reason, found by its health and resumed', async () => {
  const server = await lively.ready();
  const page = await visit(server, 'accounts');
  await row(page, 'flaky').getByRole('button', { name: 'Pause' }).click();
  await page.getByLabel('Reason, for whoever wonders').fill('The practice is closed');
  await page.getByRole('button', { name: 'Pause flaky' }).click();
  await page.locator('.toast', { hasText: 'flaky is paused.' }).waitFor();
  await row(page, 'flaky').getByText('The practice is closed').waitFor();
  await page.getByLabel('State').selectOption('paused');
  assert.deepEqual((await page.locator('tr[data-row] a.whole').allTextContents()).sort(), ['flaky', 'news']);
  await row(page, 'flaky').getByRole('button', { name: 'Resume' }).click();
  await page.locator('.toast', { hasText: 'flaky sends again.' }).waitFor();
  await row(page, 'flaky').waitFor({ state: 'detached' });
  const flaky = (await server.get('/v1/accounts')).items.find((account) => account.id === 'flaky');
  assert.notEqual(flaky.health, 'paused');
});

test('an account is checked, and the platform’s word is shown', async () => {
  const page = await visit(await lively.ready(), 'accounts');
  await row(page, 'sandbox').getByRole('button', { name: 'Check' }).click();
  await page.locator('.toast', { hasText: 'sandbox is healthy' }).waitFor();
  await row(page, 'far').getByRole('button', { name: 'Check' }).click();
  await page.locator('.toast.bad', { hasText: 'far is unreachable' }).waitFor();
});

test('an account’s own page says what is wrong, what happens next and what its channel can do', async () => {
  const page = await visit(await lively.ready(), 'accounts/far');
  await shows(page, 'What is wrong, and what to do');
  await shows(page, /One probe at a time goes out/);
  await shows(page, /UTF-16 units in one part/);
  await page.getByRole('link', { name: 'All accounts' }).click();
  await row(page, 'far').waitFor();
  await go(page, 'accounts/nobody');
  await shows(page, 'No account has this name.');
});

test('a login shows a code to scan, then one to type, and asks no more once it is closed', async () => {
  const page = await visit(await lively.ready(), 'accounts');
  const asked = [];
  page.on('request', (request) => { if (request.url().endsWith('/login')) asked.push(request.url()); });
  await row(page, 'phone').getByRole('button', { name: 'Log in' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: 'QR code to scan with the phone' }).waitFor();
  await dialog.getByText('Type a code instead').click();
  await dialog.getByLabel('Number of the phone').fill('+49 151 23456789');
  await dialog.getByRole('button', { name: 'Get a code' }).click();
  await dialog.locator('.pairing-code', { hasText: 'SAND-' }).waitFor();
  assert.equal(await dialog.getByLabel('Number of the phone').inputValue(), '+49 151 23456789');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  const before = asked.length;
  await page.clock.install();
  await page.clock.runFor(10_000);
  assert.equal(asked.length, before);
});

test('the lines of the configuration for a channel can be copied', async () => {
  const page = await visit(await lively.ready(), 'accounts');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('combobox', { name: 'Channel' }).selectOption('matrix');
  await page.getByRole('button', { name: 'Copy the lines for matrix' }).click();
  await page.locator('.toast', { hasText: 'Copied.' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^accounts:\n {2}- id: my-matrix\n {4}channel: matrix\n/);
  assert.match(copied, /token: "\$\{MATRIX_TOKEN\}"/);
});
