import assert from 'node:assert/strict';
import { go, pagesOf, settled, shows, test, visit } from './harness.mjs';
import { ADMIN, READ, SEND, guarded } from './servers.mjs';

const HIDDEN = { read: ['compose', 'audit'], admin: [] };

async function loggedIn(role, token) {
  const page = await visit(await guarded.ready(), 'overview', { token });
  await settled(page, 'overview');
  const names = await pagesOf(page);
  for (const hidden of HIDDEN[role]) assert.ok(!names.includes(hidden), `${role} sees no ${hidden}`);
  return page;
}

test('a login takes the right token only, and a logout forgets it', async () => {
  const server = await guarded.ready();
  const page = await visit(server, 'accounts');
  const dialog = page.getByRole('dialog', { name: 'Log in' });
  await dialog.getByLabel('Token').fill('not-the-right-token-at-all');
  await page.keyboard.press('Enter');
  await dialog.getByText('The server does not know this token.').waitFor();
  await dialog.getByLabel('Token').fill(ADMIN);
  await dialog.getByRole('button', { name: 'Log in' }).click();
  await settled(page, 'accounts');
  await page.locator('header .menu summary').click();
  await page.getByText('Logged in as operator').waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await dialog.waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.getItem('postrider-token')), null);
});

test('no secret is in the page, its address or what the browser keeps beyond the tab', async () => {
  const page = await loggedIn('admin', ADMIN);
  for (const place of await pagesOf(page)) {
    await go(page, place);
    assert.ok(!(await page.content()).includes(ADMIN), place);
    assert.ok(!page.url().includes(ADMIN), place);
  }
  assert.ok(!JSON.stringify(await page.context().storageState()).includes(ADMIN));
});

/** What does something to what there is; what only looks, copies or opens is for everybody. */
const ACTS = /^(Replay|Discard|Edit|Cancel|Retry|Pause|Resume|Check|Log in$|Log in…|Handled|Mark|Take over|Hand back|Fire|Delete|Switch|Save$|Create|Send|Compose|New reminder|Write|Remove|Add files|From a file|From another)/;

test('who may only read sees every page but the audit trail, and no button that acts', async () => {
  const page = await loggedIn('read', READ);
  const server = await guarded.ready();
  server.token = ADMIN;
  const first = async (path) => (await server.get(path)).items[0].id;
  const inner = [`messages/${await first('/v1/messages')}`, `messages/${await first('/v1/dead-letters')}`, `conversations/${encodeURIComponent(await first('/v1/sessions'))}`,
    'conversations?state=pending', 'conversations?state=failed', `reminder/${await first('/v1/reminders')}`, `run/${await first('/v1/runs')}`, 'accounts/sandbox', 'waiting', 'compose', 'reminder/new'];
  server.token = null;
  const found = [];
  for (const place of [...await pagesOf(page), ...inner]) {
    await go(page, place);
    const names = await page.locator('main :is(button, a.button, label.button):visible:not(:disabled)').evaluateAll((all) => all.filter((one) => !one.closest('fieldset:disabled')).map((one) => one.textContent.trim().replace(/\s+/g, ' ')));
    found.push(...names.filter((name) => ACTS.test(name)).map((name) => `${place}: ${name}`));
  }
  assert.deepEqual(found, []);
  await go(page, 'dead-letters');
  await shows(page, /Invoice/);
  await go(page, 'audit');
  await shows(page, 'Only tokens with the role admin see what operators did.');
});

test('who may only send composes a message and is shown nothing that they may not see', async () => {
  const server = await guarded.ready();
  const refused = [];
  const page = await visit(server, 'overview', { token: SEND });
  page.on('response', (response) => { if (response.status() === 403) refused.push(response.url()); });
  await settled(page, 'compose');
  assert.deepEqual(await pagesOf(page), ['compose', 'api']);
  await page.getByLabel('Account').fill('sandbox');
  await page.getByLabel('Chat').fill('carla');
  await page.getByLabel('Text', { exact: true }).fill('Hello Carla');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await shows(page, /It is accepted/);
  assert.equal(await page.locator('.offline').count(), 0);
  assert.deepEqual(refused, []);
});
