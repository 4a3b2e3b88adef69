import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { altered, eventually, settled, shows, test, unanswered, visit } from './harness.mjs';
import { workshop } from './servers.mjs';

const later = () => new Date(Date.now() + 3_600_000).toISOString();
const send = (server, message) => server.post('/v1/messages?wait=10s', { account: 'sandbox', ...message });
const queue = (server, message) => server.post('/v1/messages', { account: 'sandbox', ...message });
const is = (server, id, status) => server.until(`/v1/messages/${id}`, (message) => message.status === status);

test('a message is composed with a preview, sent, and watched until it is delivered', async () => {
  const server = await workshop.ready();
  const page = await visit(server, 'compose');
  await settled(page, 'compose');
  await page.getByLabel('Chat').fill('composed');
  await page.getByLabel('Text', { exact: true }).fill('Hello from the *browser*');
  await shows(page, 'Part 1');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('#sent').getByText('delivered').first().waitFor();
  const { items } = await server.get('/v1/messages?to=composed');
  assert.equal(items.length, 1);
});

test('a file is uploaded, goes along with a message, and can be removed before', async () => {
  const server = await workshop.ready();
  const page = await visit(server, 'compose');
  await settled(page, 'compose');
  await page.getByLabel('Chat').fill('filed');
  const files = ['one.txt', 'two.txt'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) }));
  await page.locator('page-compose input[type=file]').setInputFiles(files);
  await page.locator('li', { hasText: 'two.txt' }).getByRole('button', { name: 'Remove' }).click();
  await page.locator('section', { hasText: 'As the platform gets it' }).getByText('one.txt').waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await shows(page, /It is accepted/);
  const { items: [message] } = await server.until('/v1/messages?to=filed', ({ items }) => items[0]?.status === 'delivered');
  assert.deepEqual(message.media.map((file) => file.filename), ['one.txt']);
});

test('a message that got no answer is kept, also over a reload, and not sent twice', async () => {
  const server = await workshop.ready();
  const page = await visit(server, 'compose');
  await settled(page, 'compose');
  await page.getByLabel('Chat').fill('unsure');
  await page.getByLabel('Text', { exact: true }).fill('Once only');
  await unanswered(page, '**/v1/messages');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('alert').getByText(/Nobody knows whether this was accepted\. Press Send again/).waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await shows(page, /It is accepted/);
  assert.equal((await server.get('/v1/messages?to=unsure')).items.length, 1);
  await page.getByRole('textbox', { name: 'Text' }).fill('A draft');
  await page.reload();
  await settled(page, 'compose');
  assert.equal(await page.getByRole('textbox', { name: 'Text' }).inputValue(), 'A draft');
});

test('what is wrong with a message is said at its field', async () => {
  const page = await visit(await workshop.ready(), 'compose');
  await settled(page, 'compose');
  await page.getByLabel('Chat').fill('composed');
  await page.getByLabel('Text', { exact: true }).fill('Hello');
  await page.getByText('Options').click();
  await page.getByLabel('Expires after').fill('soon');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('[name=expiresIn][aria-invalid=true]').waitFor();
});

test('a waiting message is tried now, and another is cancelled', async () => {
  const server = await workshop.ready();
  const tried = await queue(server, { to: 'tried', text: 'now', sendAt: later(), expiresIn: 'PT1H30M6.000001S' });
  const dropped = await queue(server, { to: 'dropped', text: 'never', sendAt: later() });
  const page = await visit(server, `messages/${tried.id}`);
  await shows(page, /to be sent at/);
  await shows(page, 'expires after 1 h 30 min 6 s');
  await page.getByRole('button', { name: 'Retry now' }).click();
  await is(server, tried.id, 'delivered');
  await page.locator('page-messages').getByText('delivered').first().waitFor();
  await page.goto(`${server.address}/#/messages/${dropped.id}`);
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await page.getByRole('button', { name: 'Cancel 1 message' }).click();
  await is(server, dropped.id, 'cancelled');
});

test('a lane is paused with a reason from its message, and resumed on the page of what waits', async () => {
  const server = await workshop.ready();
  const { id } = await queue(server, { to: 'laned', text: 'wait for me', sendAt: later() });
  const page = await visit(server, `messages/${id}`);
  await page.getByRole('button', { name: 'Pause its lane…' }).click();
  await page.getByLabel('Why').fill('Ann asked for it');
  await page.getByRole('button', { name: 'Pause 1 lane' }).click();
  await shows(page, /Ann asked for it/);
  await page.goto(`${server.address}/#/waiting?to=laned&account=sandbox`);
  const lane = page.locator('lane-list tr[data-row]', { hasText: 'laned' });
  await lane.getByText('Ann asked for it').waitFor();
  await lane.getByRole('button', { name: 'Resume' }).click();
  await server.until('/v1/lanes?state=paused', ({ items }) => items.every((one) => one.to !== 'laned'));
  await page.locator('.toast', { hasText: 'The lane goes on.' }).waitFor();
});

test('a dead letter is replayed, and one with another text, account and file, after a look at it', async () => {
  const server = await workshop.ready();
  const { id: plain } = await send(server, { to: 'again', text: 'Once more #fail' });
  const { id } = await send(server, { to: 'refused', text: 'Bad luck #fail' });
  const page = await visit(server, 'dead-letters?to=again');
  await page.locator('main [data-rows] tr[data-row]').getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByRole('link', { name: 'See the replay' }).click();
  await server.until('/v1/messages?to=again', ({ items }) => items.length === 2 && items[0].replayOf === plain);
  await page.goto(`${server.address}/#/messages/${id}`);
  await shows(page, 'not sent');
  await shows(page, 'Refused because of #fail.');
  await page.getByRole('button', { name: 'Edit and replay…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('region', { name: 'As the platform gets it' }).getByText('Bad luck #fail').waitFor();
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Good luck');
  await dialog.getByRole('region', { name: 'As the platform gets it' }).getByText('Good luck').waitFor();
  await dialog.getByLabel('Account').selectOption('spare');
  await dialog.locator('input[type=file]').setInputFiles({ name: 'luck.txt', mimeType: 'text/plain', buffer: Buffer.from('clover') });
  await dialog.getByRole('region', { name: 'As the platform gets it' }).getByText(/luck\.txt/).waitFor();
  await dialog.getByRole('button', { name: 'Replay 1 message' }).click();
  await page.waitForURL((url) => !url.hash.includes(id));
  const { items: [newest] } = await server.until('/v1/messages?to=refused', ({ items }) => items[0].status === 'delivered');
  assert.deepEqual([newest.replayOf, newest.text, newest.account, newest.media[0].filename], [id, 'Good luck', 'spare', 'luck.txt']);
});

test('many dead letters are discarded unless that is undone, and exported before', async () => {
  const server = await workshop.ready();
  await Promise.all(Array.from({ length: 4 }, (_, n) => send(server, { to: 'unwanted', text: `${n} #fail` })));
  const page = await visit(server, 'dead-letters?to=unwanted', { clock: true });
  await altered(page, '**/v1/dead-letters/groups', (groups) => ({ ...groups, complete: false }));
  await page.reload();
  await shows(page, /only those that ended last were added up/);
  const rows = page.locator('section[aria-label="Dead letters"] tr[data-row]');
  await eventually('they are listed', async () => (await rows.count()) === 4);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export what matches' }).click();
  const lines = readFileSync(await (await saved).path(), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(lines.map((line) => line.to), Array(4).fill('unwanted'));
  const discard = async () => {
    await page.getByRole('button', { name: 'Discard all that match…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard 4 messages' }).click();
    await eventually('they are gone', async () => (await rows.count()) === 0);
  };
  await discard();
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await eventually('they are back', async () => (await rows.count()) === 4);
  await discard();
  await page.clock.fastForward(10_000);
  await server.until('/v1/dead-letters?to=unwanted', ({ items }) => items.length === 0);
});

test('a dead letter is discarded unless that is undone, each of several by its own button', async () => {
  const server = await workshop.ready();
  const letters = await Promise.all(Array.from({ length: 6 }, (_, n) => send(server, { to: 'discarded', text: `Letter ${n} #fail` })));
  const page = await visit(server, 'dead-letters?to=discarded', { clock: true });
  const row = (n) => page.locator('main [data-rows] tr[data-row]', { hasText: `Letter ${n}` });
  for (let n = 0; n < 6; n += 1) {
    await row(n).getByRole('button', { name: 'Discard' }).click();
    await row(n).waitFor({ state: 'detached' });
  }
  const undo = page.locator('.toast').getByRole('button', { name: 'Undo' });
  await eventually('each can be undone', async () => (await undo.count()) === 6);
  await undo.first().click();
  await row(0).waitFor();
  await undo.first().hover();
  await page.clock.fastForward(10_000);
  await server.until('/v1/dead-letters?to=discarded', ({ items }) => items.length === 2);
  assert.equal(await undo.count(), 1, 'what is pointed at stays');
  await page.mouse.move(700, 300);
  await page.clock.fastForward(10_000);
  await server.until('/v1/dead-letters?to=discarded', ({ items }) => items.length === 1);
  assert.equal((await server.get(`/v1/messages/${letters[0].id}`)).status, 'failed');
});

test('dead letters of one kind are replayed together', async () => {
  const server = await workshop.ready();
  for (let i = 0; i < 3; i += 1) await send(server, { to: 'together', text: `${i} #fail` });
  const page = await visit(server, 'dead-letters?to=together');
  await settled(page, 'dead-letters');
  await page.getByRole('button', { name: 'Replay all that match…' }).click();
  await page.getByRole('button', { name: 'Replay 3 messages' }).click();
  await page.getByText('3 of 3 replayed.').waitFor();
  await server.until('/v1/messages?to=together', ({ items }) => items.length === 6);
});

test('a message can be copied as a command, and shows what it answers', async () => {
  const server = await workshop.ready();
  await server.post('/v1/sandbox/sandbox/messages', { chat: 'gus', name: 'Gus', text: 'Are you open on Sunday?' });
  const { items } = await server.get('/v1/inbound?sessionId=sandbox%2Fgus');
  const { replies: [reply] } = await server.post(`/v1/inbound/${items[0].id}/ack`, { replies: ["It's closed, Gus"] });
  const page = await visit(server, `messages/${reply.id}`);
  await page.locator('turn-card').getByText('Are you open on Sunday?').waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.locator('.toast', { hasText: 'Copied.' }).waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(command, /^curl 'http:.*\/v1\/messages' /);
  assert.ok(command.includes("It'\\''s closed, Gus"), command);
  await page.locator('turn-card').getByRole('link', { name: 'The conversation' }).click();
  await shows(page, 'Are you open on Sunday?');
});

test('the search of the header finds by id, key, chat and text', async () => {
  const server = await workshop.ready();
  const { id } = await send(server, { to: 'sought-chat', text: 'sought words', idempotencyKey: 'sought-key' });
  const page = await visit(server, 'overview');
  for (const wanted of [id, 'sought-key', 'sought-chat', 'sought words']) {
    await page.locator('#search').fill(wanted);
    await page.keyboard.press('Enter');
    await eventually(`${wanted} is found`, () => page.locator('main').getByText('sought words').first().isVisible());
  }
});

test('the overview leads to what is not well, and helps with one click', async () => {
  const server = await workshop.ready();
  await server.post('/v1/accounts/spare/pause', { reason: 'For the test of the overview' });
  const page = await visit(server, 'overview');
  const problem = page.locator('.problems li', { hasText: 'For the test of the overview' });
  await problem.getByRole('button', { name: 'Resume' }).click();
  await server.until('/v1/accounts', ({ items }) => items.find((account) => account.id === 'spare').health === 'ready');
  await page.mouse.move(1, 1); // what is settled stays under the hand
  await problem.waitFor({ state: 'detached' });
});
