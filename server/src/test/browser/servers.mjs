// The servers of the tests, each with what it is for.
import { Server, eventually } from './harness.mjs';

const HOUR = 3_600_000;

/** An account in every state, messages in every state, people who write, reminders that run. */
const YAML = `
inbound: { maxAttempts: 1 }
accounts:
  - { id: sandbox, channel: sandbox }
  - { id: news, channel: sandbox }
  - { id: shop, channel: sandbox, pace: { perMinute: 10, burst: 3 } }
  - { id: flaky, channel: sandbox, faults: { notSent: 1 } }
  - { id: phone, channel: sandbox, pairing: 1h }
  - { id: shaky, channel: sandbox, faults: { broken: 1 } }
  - { id: far, channel: telegram, token: "12345:abcdefghijklmnopqrstuvwxyz", baseUrl: "http://127.0.0.1:1", polling: true }
`;

export const lively = new Server('lively', YAML, prepare);

/** The same, for tests that send much. */
export const busy = new Server('busy', YAML, prepare);

const many = (amount, make) => Array.from({ length: amount }, (_, i) => make(i + 1));

async function prepare(server) {
  await server.post('/v1/accounts/news/pause', { reason: 'The newsletter is being rewritten' });
  await server.post('/v1/lanes/pause', { account: 'sandbox', to: 'eve', reason: 'Eve is on holiday' });
  await server.batch([
    ...many(30, (n) => ({ account: 'sandbox', to: n % 2 ? 'ann' : 'bob', text: `Your parcel ${n} is on its way`, idempotencyKey: `parcel-${n}`, metadata: { order: `${n}` } })),
    ...many(5, (n) => ({ account: 'sandbox', to: `customer-${n}`, text: `Invoice ${n} #fail` })),
    ...many(3, () => ({ account: 'sandbox', to: 'blocked', text: 'Are you still there?' })),
    ...many(4, (n) => ({ account: 'sandbox', to: 'eve', text: `Welcome back ${n}` })),
    ...many(6, (n) => ({ account: 'news', to: `reader-${n}`, text: 'The news of the week' })),
    ...many(8, (n) => ({ account: 'shop', to: `buyer-${n}`, text: 'Thank you for your order' })),
    ...many(2, (n) => ({ account: 'flaky', to: `patient-${n}`, text: 'See you on Monday' })),
    ...many(3, (n) => ({ account: 'phone', to: `friend-${n}`, text: 'Shall we meet?' })),
    ...many(3, (n) => ({ account: 'shaky', to: `guest-${n}`, text: 'Your table is ready' })),
    ...many(3, (n) => ({ account: 'far', to: `10${n}`, text: 'Good morning' })),
    ...many(2, (n) => ({ account: 'sandbox', to: `later-${n}`, text: 'Happy birthday', sendAt: new Date(Date.now() + HOUR).toISOString() })),
    { account: 'sandbox', to: 'long', text: 'A long text. '.repeat(800) },
  ]);
  await people(server);
  await reminders(server);
  await server.until('/v1/stats', (stats) => stats.deadLetters >= 8 && stats.delivered >= 31);
}

/** Three people write; one gets an answer, one message cannot be handled. */
async function people(server) {
  for (const [chat, text] of [['ann', 'Where is my parcel?'], ['bob', 'Thank you!'], ['carla', 'Can I change the address?']]) {
    await server.post('/v1/sandbox/sandbox/messages', { chat, name: chat[0].toUpperCase() + chat.slice(1), text });
  }
  const { items } = await server.post('/v1/inbound/lease', { max: 2, wait: '5s', leaseFor: '10m' });
  const [first] = items;
  await server.post(`/v1/inbound/leases/${first.leaseId}/ack`, { replies: [{ text: 'It arrives tomorrow.' }] });
  if (items[1]) await server.post(`/v1/inbound/leases/${items[1].leaseId}/nack`, { error: 'The handler knows no answer' });
}

async function reminders(server) {
  const targets = (amount, who) => many(amount, (n) => ({ to: `${who}-${n}`, variables: { name: `Team ${n}` } }));
  const window = { start: '00:00', end: '24:00', onClose: 'stop' };
  const reminder = (more) => ({ account: 'sandbox', timezone: 'Europe/Berlin', window, messages: [{ text: 'Hello {{name}}' }], ...more });
  const done = await server.post('/v1/reminders', reminder({ name: 'Monday notice', targets: targets(20, 'team') }));
  const slow = await server.post('/v1/reminders', reminder({ name: 'Season sale', account: 'shop', targets: targets(40, 'buyer') }));
  await server.post('/v1/reminders', reminder({ name: 'Friday notice', schedule: { cron: '0 9 * * FRI' }, targets: targets(5, 'team') }));
  server.ended = await server.post(`/v1/reminders/${done.id}/fire`);
  server.running = await server.post(`/v1/reminders/${slow.id}/fire`);
  server.reminder = done;
}

export const READ = 'read-only-token-0123456789';
export const SEND = 'send-only-token-0123456789';
export const ADMIN = 'admin-token-0123456789abcd';

/** Wants tokens. */
export const guarded = new Server('guarded', `
inbound: { maxAttempts: 1 }
http:
  tokens:
    - { name: reader, secret: "${READ}", role: read }
    - { name: sender, secret: "${SEND}", role: send }
    - { name: operator, secret: "${ADMIN}", role: admin }
accounts:
  - { id: sandbox, channel: sandbox }
`, async (server) => {
  server.token = ADMIN;
  await server.batch([{ account: 'sandbox', to: 'ann', text: 'Hello Ann' }, { account: 'sandbox', to: 'bob', text: 'Invoice #fail' }]);
  for (const text of ['Who reads this?', 'Nobody can']) await server.post('/v1/sandbox/sandbox/messages', { chat: text, text });
  const { items: [lease] } = await server.post('/v1/inbound/lease', { max: 1, wait: '5s', leaseFor: '1m' });
  await server.post(`/v1/inbound/leases/${lease.leaseId}/nack`, { error: 'It cannot be handled' });
  const { id } = await server.post('/v1/reminders', { name: 'Notice', account: 'sandbox', timezone: 'UTC', window: { start: '00:00', end: '24:00', onClose: 'stop' }, schedule: { cron: '0 9 * * FRI' }, targets: [{ to: 'ann' }], messages: [{ text: 'Hello' }] });
  await server.post(`/v1/reminders/${id}/fire`);
  await server.until('/v1/stats', (stats) => stats.deadLetters === 1);
  server.token = null;
});

/** Is stopped and started again. */
export const frail = new Server('frail', `
accounts:
  - { id: sandbox, channel: sandbox }
`, (server) => server.batch(many(3, (n) => ({ account: 'sandbox', to: 'ann', text: `Hello ${n}` }))));

export const BACKLOG = 50_000;

/** A backlog of 50,000 messages that wait. */
export const crowded = new Server('crowded', `
accounts:
  - { id: sandbox, channel: sandbox }
  - { id: crowd, channel: sandbox }
`, async (server) => {
  await server.post('/v1/accounts/crowd/pause', { reason: 'The hall is full' });
  for (let from = 0; from < BACKLOG; from += 10_000) {
    await server.batch(many(10_000, (n) => ({ account: 'crowd', to: `chat-${(from + n) % 5000}`, text: `Message ${from + n}` })));
  }
  await eventually('all of the crowd wait', async () => (await server.get('/v1/stats')).queued === BACKLOG);
});

/** Where a person works: every test has chats and reminders of its own. */
export const workshop = new Server('workshop', `
inbound: { maxAttempts: 1 }
accounts:
  - { id: sandbox, channel: sandbox }
  - { id: shop, channel: sandbox, pace: { perMinute: 10, burst: 2 } }
  - { id: spare, channel: sandbox }
`);

const EVIL = `"><img src=x onerror="globalThis.hacked = 'img'"><script>globalThis.hacked = 'script'</script></textarea></script><svg onload="globalThis.hacked = 'svg'"> ' \` \${globalThis.hacked = 1} {{name}} javascript:alert(1)`;
export const HOSTILE = `${EVIL} \u202etxet\u202c`;
const LONG = `${HOSTILE} ${'w'.repeat(10_000)}`;

/** Everything that somebody else can write has markup, quotes, changed directions or 10,000 characters in it. */
export const hostile = new Server('hostile', `
inbound: { maxAttempts: 1 }
accounts:
  - { id: sandbox, channel: sandbox }
  - { id: stopped, channel: sandbox }
`, async (server) => {
  const chat = HOSTILE.slice(0, 240);
  const message = (more) => ({ account: 'sandbox', to: chat, text: LONG, metadata: { [HOSTILE.slice(0, 60)]: HOSTILE }, threadId: chat, replyToId: chat, ...more });
  await server.post('/v1/accounts/stopped/pause', { reason: HOSTILE.slice(0, 400) });
  await server.post('/v1/lanes/pause', { account: 'sandbox', to: `${chat}2`, reason: HOSTILE.slice(0, 400) });
  await server.batch([
    message({ idempotencyKey: HOSTILE }), message({ text: `#fail ${HOSTILE}` }), message({ account: 'stopped' }), message({ to: `${chat}2` }),
    message({ media: [{ url: `data:text/plain,${encodeURIComponent(HOSTILE)}`, filename: `${HOSTILE.slice(0, 100)}.txt` }] }),
  ]);
  for (let i = 0; i < 2; i += 1) await server.post('/v1/sandbox/sandbox/messages', { chat, sender: chat, name: HOSTILE, text: LONG, threadId: chat });
  const { items: [lease] } = await server.post('/v1/inbound/lease', { max: 1, wait: '5s', leaseFor: '1m' });
  await server.post(`/v1/inbound/leases/${lease.leaseId}/nack`, { error: HOSTILE });
  server.reminder = await server.post('/v1/reminders', {
    name: HOSTILE.slice(0, 190), account: 'sandbox', timezone: 'UTC', window: { start: '00:00', end: '24:00', onClose: 'stop' },
    targets: [{ to: chat, name: HOSTILE.slice(0, 190), variables: { name: HOSTILE } }], messages: [{ text: `#fail {{name}}` }],
  });
  server.run = await server.post(`/v1/reminders/${server.reminder.id}/fire`);
  await server.until('/v1/stats', (stats) => stats.deadLetters >= 2);
});
