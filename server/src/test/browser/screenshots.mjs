// Takes the pictures of docs/images: dev/screenshots.
import { mkdirSync } from 'node:fs';
import { DESK, PHONE, go, settled, test, traffic, visit } from './harness.mjs';
import { lively } from './servers.mjs';

const IMAGES = `${import.meta.dirname}/images`;
const WORDS = ['Your parcel is on its way', 'Your table is ready', 'The meeting begins at ten', 'Thank you for your order', 'Your code is 4711'];

/** Pages by the name of their picture. */
const places = async (server) => ({
  overview: 'overview', waiting: 'waiting', messages: 'messages', message: `messages/${(await server.get('/v1/dead-letters?to=blocked')).items[0].id}`, 'dead-letters': 'dead-letters', compose: 'compose?account=sandbox&to=ann&text=Hello **Ann**',
  conversations: 'conversations', conversation: `conversations/${encodeURIComponent((await server.get('/v1/sessions')).items.at(-1).id)}`, reminders: 'reminders', reminder: `reminder/${server.reminder.id}`, run: `run/${server.running.id}`,
  accounts: 'accounts', cluster: 'cluster', sandbox: 'sandbox', audit: 'audit', api: 'api/post-v1-messages', settings: 'settings',
});

async function picture(page, name) {
  mkdirSync(IMAGES, { recursive: true });
  await page.screenshot({ path: `${IMAGES}/${name}.png`, animations: 'disabled' });
}

test('pictures of every page, and of the overview in the dark and on a phone', async () => {
  const server = await lively.ready();
  const load = traffic(server, 20, (n) => ({ account: 'sandbox', to: `customer-${n % 12}`, text: WORDS[n % WORDS.length] }));
  await load.more(100);
  const page = await visit(server, 'overview', { size: DESK });
  await settled(page, 'overview');
  await load.more(100);
  for (const [name, place] of Object.entries(await places(server))) {
    await go(page, place);
    await load.more(15);
    await picture(page, name);
  }
  const dark = await visit(server, 'overview', { size: DESK, scheme: 'dark' });
  const phone = await visit(server, 'overview', { size: PHONE, touch: true });
  for (const one of [dark, phone]) await settled(one, 'overview');
  await load.more(100);
  await picture(dark, 'overview-dark');
  await picture(phone, 'overview-phone');
  await load.stop();
});
