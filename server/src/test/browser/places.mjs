// Every place of the dashboard that a server with all kinds of data has something to show at.
import { pagesOf, visit } from './harness.mjs';

export async function places(server) {
  const page = await visit(server, 'overview');
  await page.locator('nav a').first().waitFor();
  const first = async (path) => (await server.get(path)).items[0].id;
  const inner = [
    `messages/${await first('/v1/messages?status=delivered')}`,
    `messages/${await first('/v1/messages?status=queued')}`,
    `messages/${await first('/v1/dead-letters')}`,
    'accounts/far',
    'sandbox?account=sandbox',
    `conversations/${encodeURIComponent(await first('/v1/sessions'))}`,
    'conversations?state=pending',
    `reminder/${server.reminder.id}`,
    'reminder/new',
    `run/${server.ended.id}`,
    `run/${server.running.id}`,
    'api/post-v1-messages',
    'settings',
  ];
  return [...await pagesOf(page), ...inner];
}
