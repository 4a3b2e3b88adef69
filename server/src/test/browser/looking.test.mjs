import assert from 'node:assert/strict';
import { altered, go, settled, shows, test, visit } from './harness.mjs';
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

test('the charts show an hour, a day or a month as is chosen, and what ended undelivered apart from failed attempts', async () => {
  const server = await lively.ready();
  const page = await visit(server, 'overview');
  await page.locator('past-charts canvas').first().waitFor();
  await page.getByText('ended undelivered', { exact: true }).waitFor();
  for (const [name, range] of [['24 hours', '24h'], ['30 days', '30d']]) {
    const asked = page.waitForRequest((request) => request.url().includes(`/v1/stats/history?since=${range}`));
    await page.getByRole('button', { name }).click();
    await asked;
    assert.match(page.url(), new RegExp(`range=${range}`));
    await page.locator('past-charts canvas').first().evaluate((canvas) => canvas.getAttribute('aria-label'));
    await page.getByRole('img', { name: new RegExp(`^Messages a minute, the last ${name}`) }).waitFor();
  }
  const drawn = await page.locator('past-charts canvas').first().evaluate((canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0));
  assert.ok(drawn, 'the chart is drawn');
});

test('several nodes, who is silent, and who took over from whom', async () => {
  const server = await lively.ready();
  const page = await visit(server, 'settings');
  const ago = (seconds) => new Date(Date.now() - 1000 * seconds).toISOString();
  const node = (name, alive, accounts) => ({ name, alive, seenAt: ago(alive ? 1 : 60), startedAt: ago(3600), address: `http://${name}:8080`, accounts });
  await page.route('**/v1/cluster', (route) => route.fulfill({ json: {
    shared: true, node: 'one', home: 'one', nodes: [node('one', true, ['shop', 'news']), node('two', false, [])],
    accounts: [{ id: 'shop', node: 'one', since: ago(30), fence: 7 }, { id: 'news', node: 'one', since: ago(3600), fence: 2 }, { id: 'far', node: null, since: ago(5), fence: 3 }],
    takeovers: [{ at: ago(30), account: 'shop', from: 'two', to: 'one', died: true, gap: '11s' }],
  } }));
  await go(page, 'cluster');
  await shows(page, /1 node of 2 gives signs of life; 1 account has no node now/);
  await shows(page, /two has fallen silent/);
  await page.locator('tr[data-row]', { hasText: 'its node fell silent' }).getByText('11s').waitFor();
  await page.locator('tr[data-row]', { hasText: 'far' }).getByText('nobody').waitFor();
});

test('what has one cause on many accounts is one problem, and one click asks for all', async () => {
  const server = await lively.ready();
  const page = await visit(server, 'settings');
  const checked = [];
  await altered(page, '**/v1/stats', (stats) => {
    const twelve = Array.from({ length: 12 }, (_, n) => ({ ...stats.accounts[0], id: `behind-${n}`, health: 'unreachable', needsLogin: false, reason: `behind-${n} cannot reach the proxy`, since: stats.at, queued: 10, listening: { status: 'failing', cause: `behind-${n} cannot reach the proxy`, since: stats.at } }));
    return { ...stats, accounts: twelve };
  });
  await page.route('**/v1/accounts/behind-*/check', (route) => { checked.push(route.request().url()); return route.fulfill({ json: { result: 'unreachable', cause: 'still' } }); });
  await page.reload();
  await go(page, 'overview');
  const problem = page.locator('.problems li', { hasText: 'cannot reach the proxy' });
  await problem.getByText(/12 accounts \(behind-0, behind-1, behind-2, behind-3 and 8 more\) are unreachable and hear nothing/).waitFor();
  assert.equal(await problem.count(), 1);
  await problem.getByText('120 messages wait').waitFor();
  await problem.getByRole('button', { name: 'Check 12' }).click();
  await page.locator('.toast', { hasText: '0 of 12 accounts are healthy.' }).waitFor();
  assert.equal(checked.length, 12);
});

test('the sentence of the overview tells a screen reader its verdict, and no figure that changes', async () => {
  const page = await visit(await lively.ready(), 'overview');
  const spoken = page.locator('page-overview .sentence [role=status]');
  await spoken.getByText('Not all is well:').waitFor();
  assert.equal((await spoken.textContent()).trim(), 'Not all is well:');
});
