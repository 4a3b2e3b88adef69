import assert from 'node:assert/strict';
import { altered, eventually, go, settled, shows, test, visit } from './harness.mjs';
import { crowded, workshop } from './servers.mjs';

const later = () => new Date(Date.now() + 3_600_000).toISOString();
const group = (page, words) => page.locator('tbody[data-groups] tr', { hasText: words });
const lane = (page, chat) => page.locator('lane-list tr[data-row]', { hasText: chat });

/** Chats whose lane somebody has paused, with a message in each. */
async function stopped(server, reason, chats) {
  await server.post('/v1/lanes/pause', { lanes: chats.map((to) => ({ account: 'sandbox', to })), reason });
  for (const to of chats) await server.post('/v1/messages', { account: 'sandbox', to, text: 'wait' });
}

test('the number of a group leads to these messages, and what is cancelled there is these', async () => {
  const server = await workshop.ready();
  await stopped(server, 'a group of their own', ['grouped-a', 'grouped-b']);
  const { id } = await server.post('/v1/messages', { account: 'sandbox', to: 'grouped-c', text: 'later', sendAt: later() });
  const page = await visit(server, 'waiting');
  await group(page, 'a group of their own').locator('td[data-name=Messages] a').click();
  const rows = page.locator('message-list tr[data-row]');
  await eventually('both are listed', async () => (await rows.count()) === 2);
  assert.match(await rows.first().textContent(), /a group of their own/);
  await page.getByRole('button', { name: 'Cancel all that match…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel 2 messages' }).click();
  await page.getByText('2 of 2 cancelled.').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  assert.equal((await server.get(`/v1/messages/${id}`)).status, 'queued');
  await go(page, 'waiting');
  await group(page, 'scheduled').getByRole('link', { name: 'Show messages' }).click();
  await rows.filter({ hasText: 'grouped-c' }).waitFor();
  await server.post(`/v1/messages/${id}/cancel`);
});

test('lanes are chosen by their boxes, and what was refused is told', async () => {
  const server = await workshop.ready();
  await stopped(server, 'to be chosen', ['chosen-a', 'chosen-b', 'chosen-c']);
  const page = await visit(server, 'waiting');
  await group(page, 'to be chosen').getByRole('button', { name: 'Show lanes' }).click();
  await lane(page, 'chosen-c').waitFor();
  await lane(page, 'chosen-a').getByRole('checkbox').check();
  await lane(page, 'chosen-b').getByRole('checkbox').check();
  await shows(page, '2 lanes with 2 messages chosen.');
  await page.route('**/v1/lanes/resume', (route) => {
    const asked = route.request().postDataJSON();
    return asked.dryRun ? route.continue() : route.continue({ postData: JSON.stringify({ ...asked, lanes: [asked.lanes.find((one) => one.to === 'chosen-a'), { account: 'nobody', to: 'chosen-b' }] }) });
  });
  await page.getByRole('button', { name: 'Resume 2 chosen…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume 2 lanes' }).click();
  await page.getByText('1 of 2 resumed.').waitFor();
  await page.getByText('1 refusal').click();
  await page.getByRole('dialog').getByText(/chosen-b on nobody/).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.unrouteAll();
  await server.until('/v1/messages?to=chosen-a', ({ items }) => items[0].status === 'delivered');
  await lane(page, 'chosen-b').getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Cancel messages of 1 chosen…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel 1 message' }).click();
  await page.getByText('1 of 1 cancelled.').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Retry all that match now…' }).click();
  await page.getByRole('dialog').getByText(/The first message of each lane is tried now/).waitFor();
  await page.keyboard.press('Escape');
  await server.post('/v1/lanes/resume', { cause: 'to be chosen' });
  assert.equal((await server.get('/v1/messages?to=chosen-b')).items[0].status, 'cancelled');
});

test('a group of what waits is helped with one click: its account is resumed', async () => {
  const server = await workshop.ready();
  await server.post('/v1/accounts/spare/pause', { reason: 'a group of an account' });
  await server.post('/v1/messages', { account: 'spare', to: 'helped', text: 'go' });
  const page = await visit(server, 'waiting');
  await shows(page, 'Paused on purpose');
  await group(page, 'a group of an account').getByRole('button', { name: 'Resume' }).click();
  await server.until('/v1/messages?to=helped', ({ items }) => items[0].status === 'delivered');
});

test('five thousand lanes are counted, paused with a bar that can be stopped, and resumed', async () => {
  const server = await crowded.ready();
  const page = await visit(server, 'waiting?account=crowd&kind=accountPaused');
  await settled(page, 'waiting');
  await altered(page, '**/v1/lanes/pause', async (answer, request) => {
    if (!request.postDataJSON().dryRun) await page.getByRole('button', { name: 'Stop' }).click();
    return answer;
  });
  await page.getByRole('button', { name: 'Pause all that match…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Why').fill('too many');
  const pause = dialog.getByRole('button', { name: /^Pause [\d,]+ lanes$/ });
  const lanes = (await pause.textContent()).match(/[\d,]+/)[0]; // other tests cancel what waits in some
  assert.ok(Number(lanes.replace(',', '')) > 4900);
  await pause.click();
  await dialog.getByText(`500 of ${lanes} paused.`).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await server.until('/v1/stats', (stats) => stats.pausedLanes === 500);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Resume all that match…' }).click();
  await dialog.getByRole('button', { name: 'Resume 500 lanes' }).click();
  await dialog.getByText('500 of 500 resumed.').waitFor();
  await server.until('/v1/stats', (stats) => stats.pausedLanes === 0);
});
