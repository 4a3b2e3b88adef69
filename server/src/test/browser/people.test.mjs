import assert from 'node:assert/strict';
import { eventually, settled, shows, test, visit } from './harness.mjs';
import { workshop } from './servers.mjs';

test('somebody writes in the sandbox, a person takes over, answers and hands back', async () => {
  const server = await workshop.ready();
  const page = await visit(server, 'sandbox');
  await settled(page, 'sandbox');
  await page.getByLabel('Chat', { exact: true }).last().fill('dora');
  await page.getByLabel('Their name').fill('Dora');
  await page.getByLabel('Text', { exact: true }).fill('Is anybody there?');
  await page.getByRole('button', { name: 'Write' }).click();
  await page.goto(`${server.address}/#/conversations`);
  await page.locator('tr[data-row]', { hasText: 'dora' }).getByRole('link').first().click();
  await shows(page, 'Is anybody there?');
  await page.getByRole('button', { name: 'Take over' }).click();
  await page.getByRole('button', { name: 'Take over this conversation' }).click();
  await page.getByText('A person answers.').waitFor();
  await page.getByLabel('Answer as sandbox').fill('Yes, I am.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('.bubble.ours', { hasText: 'Yes, I am.' }).getByText('delivered').waitFor();
  await page.getByRole('button', { name: 'Hand back' }).click();
  await page.getByRole('button', { name: /^Hand back with 1 message/ }).click();
  await page.getByRole('button', { name: 'Take over' }).waitFor();
});

test('an inbound message that could not be handled says why and is replayed', async () => {
  const server = await workshop.ready();
  await server.post('/v1/sandbox/spare/messages', { chat: 'emil', name: 'Emil', text: 'Nobody understands me' });
  const lease = () => server.post('/v1/inbound/lease', { max: 10, leaseFor: '1m' });
  const { leaseId } = await eventually('it is handed out', async () => (await lease()).items.find((one) => one.message.chat === 'emil'));
  await server.post(`/v1/inbound/leases/${leaseId}/nack`, { error: 'I do not speak that language' });
  const page = await visit(server, 'conversations?state=failed');
  const row = page.locator('tr[data-row]', { hasText: 'Nobody understands me' });
  await row.getByText('I do not speak that language').first().waitFor();
  await row.getByRole('button', { name: 'Replay' }).click();
  await page.locator('.toast', { hasText: 'handed out again' }).waitFor();
});

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

test('a run is paused with a reason, resumed and cancelled', async () => {
  const server = await workshop.ready();
  const reminder = await server.post('/v1/reminders', {
    name: 'Slow sale', account: 'shop', timezone: 'UTC', window: { start: '00:00', end: '24:00', onClose: 'stop' },
    targets: Array.from({ length: 30 }, (_, i) => ({ to: `buyer-${i}` })), messages: [{ text: 'Sale' }],
  });
  const run = await server.post(`/v1/reminders/${reminder.id}/fire`);
  const page = await visit(server, `run/${run.id}`);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByLabel('Why, for others who look').fill('Too early in the day');
  await page.getByRole('button', { name: /^Pause with \d+ waiting/ }).click();
  await shows(page, /Too early in the day/);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: /^End it without \d+ chats/ }).click();
  await server.until(`/v1/runs/${run.id}`, ({ status }) => status === 'cancelled');
  await page.locator('page-run .title').getByText('cancelled').waitFor();
});
