import assert from 'node:assert/strict';
import { eventually, settled, shows, test, unanswered, visit } from './harness.mjs';
import { workshop } from './servers.mjs';

test('a person takes over, answers and hands back, and the program gets only what nobody has answered', async () => {
  const server = await workshop.ready();
  const page = await visit(server, 'sandbox');
  await settled(page, 'sandbox');
  await page.getByLabel('Chat', { exact: true }).last().fill('dora');
  await page.getByLabel('Their name').fill('Dora');
  for (const text of ['Is anybody there?', 'Hello?']) {
    await page.getByLabel('Text', { exact: true }).fill(text);
    await page.getByRole('button', { name: 'Write' }).click();
    await eventually('it was written', async () => (await page.getByLabel('Text', { exact: true }).inputValue()) === '');
  }
  await page.goto(`${server.address}/#/conversations`);
  await page.locator('tr[data-row]', { hasText: 'dora' }).getByRole('link').first().click();
  await shows(page, 'Is anybody there?');
  await page.getByRole('button', { name: 'Take over' }).click();
  await page.getByRole('button', { name: 'Take over this conversation' }).click();
  await page.getByText(/a person answers\./).waitFor();
  await page.getByLabel('Answer as sandbox').fill('Yes, I am.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('.bubble.ours', { hasText: 'Yes, I am.' }).getByText('delivered').waitFor();
  const heard = (await server.get('/v1/inbound?sessionId=sandbox%2Fdora')).items;
  assert.deepEqual(heard.map((message) => message.status), ['handled', 'handled']);
  const [said] = (await server.get('/v1/messages?to=dora')).items;
  assert.equal(said.turnId, heard[0].id);
  await server.post('/v1/sandbox/sandbox/messages', { chat: 'dora', text: 'Thank you' });
  await page.getByRole('button', { name: 'Mark 1 message as handled' }).click();
  await server.post('/v1/sandbox/sandbox/messages', { chat: 'dora', text: 'Where is my parcel?' });
  await shows(page, 'Where is my parcel?');
  await page.getByRole('button', { name: 'Hand back' }).click();
  await page.getByRole('button', { name: /^Hand back with 1 message/ }).click();
  await page.getByRole('button', { name: 'Take over' }).waitFor();
  const { items } = await server.post('/v1/inbound/lease', { max: 10, wait: '10s', leaseFor: '1m' });
  assert.deepEqual(items.map((item) => item.message.text), ['Where is my parcel?']);
  await server.post(`/v1/inbound/leases/${items[0].leaseId}/ack`);
});

test('what waits is marked as handled from the list, and an answer that got no answer is not sent twice', async () => {
  const server = await workshop.ready();
  for (const text of ['One', 'Two']) await server.post('/v1/sandbox/spare/messages', { chat: 'fred', name: 'Fred', text });
  const page = await visit(server, 'conversations?state=pending');
  const row = (text) => page.locator('tr[data-row]', { hasText: text });
  await row('Two').getByRole('button', { name: 'Handled…' }).click();
  await page.getByRole('button', { name: 'Mark as handled', exact: true }).click();
  await row('One').waitFor({ state: 'detached' });
  await server.post('/v1/sandbox/spare/messages', { chat: 'fred', text: 'Three' });
  await page.goto(`${server.address}/#/conversations/${encodeURIComponent('spare/fred')}`);
  await unanswered(page, '**/ack');
  await page.getByLabel('Answer as spare').fill('Four');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('.toast', { hasText: 'Press Send again' }).waitFor();
  assert.equal(await page.getByLabel('Answer as spare').inputValue(), 'Four');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await eventually('it is sent', async () => (await page.getByLabel('Answer as spare').inputValue()) === '');
  assert.equal((await server.get('/v1/messages?to=fred')).items.length, 1);
});

test('inbound messages that could not be handled say why, on the overview too, and are replayed or discarded', async () => {
  const server = await workshop.ready();
  for (const chat of ['emil', 'erna', 'eva']) await server.post('/v1/sandbox/spare/messages', { chat, name: chat, text: `Nobody understands ${chat}` });
  await eventually('they are handed out and given back', async () => {
    for (const { leaseId } of (await server.post('/v1/inbound/lease', { max: 10, leaseFor: '1m', accounts: ['spare'] })).items) await server.post(`/v1/inbound/leases/${leaseId}/nack`, { error: 'I do not speak that language' });
    return (await server.get('/v1/inbound?status=failed&account=spare')).items.length === 3;
  });
  const page = await visit(server, 'overview');
  const problem = page.locator('.problems li', { hasText: 'from people could not be handled' });
  await problem.getByText('I do not speak that language').waitFor();
  assert.doesNotMatch(await page.locator('.sentence.state').textContent(), /All is well/);
  await problem.getByRole('link').first().click();
  const row = (chat) => page.locator('tr[data-row]', { hasText: `Nobody understands ${chat}` });
  await row('emil').getByText('I do not speak that language').first().waitFor();
  await row('emil').getByRole('button', { name: 'Replay' }).click();
  await page.locator('.toast', { hasText: 'handed out again' }).waitFor();
  await row('erna').getByRole('button', { name: 'Discard' }).click();
  await page.locator('.toast', { hasText: 'is discarded' }).getByRole('button', { name: 'Undo' }).click();
  await row('erna').getByRole('button', { name: 'Discard' }).click();
  await row('erna').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Replay all that match' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replay 1 dead letter' }).click();
  await page.getByText('1 of 1 replayed.').waitFor();
  const all = (await server.get('/v1/inbound?account=spare')).items.filter((message) => /Nobody/.test(message.text));
  assert.deepEqual(all.map((message) => message.status).sort(), ['discarded', 'failed', 'failed', 'pending', 'pending']);
  for (const { leaseId } of (await server.post('/v1/inbound/lease', { max: 10, wait: '5s', leaseFor: '1m', accounts: ['spare'] })).items) await server.post(`/v1/inbound/leases/${leaseId}/ack`);
});
