import assert from 'node:assert/strict';
import { PHONE, eventually, go, pagesOf, settled, test, tooWide, visit } from './harness.mjs';
import { HOSTILE, hostile } from './servers.mjs';

/** Pages that show nothing of what others write. */
const OURS = ['cluster', 'api', 'compose', 'settings'];

for (const [name, size] of [['a desk', undefined], ['a phone', PHONE]]) {
  test(`on ${name} nothing that others write is executed: it is shown as text`, async () => {
    const server = await hostile.ready();
    const page = await visit(server, 'overview', { size, touch: size === PHONE });
    await page.addInitScript(() => addEventListener('securitypolicyviolation', (event) => { globalThis.violation = event.violatedDirective; }));
    await page.reload();
    await settled(page, 'overview');
    const first = async (path) => (await server.get(path)).items[0].id;
    const inner = [`messages/${await first('/v1/messages?status=queued')}`, `messages/${await first('/v1/dead-letters')}`, `conversations/${encodeURIComponent(await first('/v1/sessions'))}`,
      'conversations?state=pending', `reminder/${server.reminder.id}`, `run/${server.run.id}`, 'accounts/stopped', `compose?text=${encodeURIComponent(HOSTILE)}`, `messages?find=${encodeURIComponent(HOSTILE)}`];
    for (const place of [...await pagesOf(page), ...inner]) {
      await go(page, place);
      if (!OURS.includes(place) && !place.includes('=')) {
        await eventually(`${place} shows what somebody wrote`, () => page.evaluate(() => [...document.querySelectorAll('main, main input, main textarea')].some((one) => (one.value ?? one.textContent).includes('<img src=x onerror='))));
      }
      const harm = await page.evaluate(() => ({ hacked: globalThis.hacked, violation: globalThis.violation, made: document.querySelectorAll('main img[src="x"], main script, [onerror], [onload]').length }));
      assert.deepEqual(harm, { hacked: undefined, violation: undefined, made: 0 }, place);
      assert.equal(await tooWide(page), null, `${place} is too wide`);
    }
  });
}
