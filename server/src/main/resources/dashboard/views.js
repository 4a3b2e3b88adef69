import { get, path, post, remove } from './api.js';
import { ago, badge, button, card, chart, el, number, table, toast, waits } from './dom.js';
import { logIn } from './pairing.js';

const RECEIPTS = ['sent', 'delivered', 'read', 'failed'];
const STATUSES = ['queued', 'sending', 'delivered', 'failed', 'expired', 'held', 'cancelled'];

/** What pages need to know of each other: counters of the last minutes and how to draw again. */
export const shared = { rates: [], perSecond: 0, acceptedPerSecond: 0, refresh: () => {} };

const done = (text) => { toast(text); shared.refresh(); };

// ---- messages

function preview(message) {
  if (message.text) return message.text;
  return message.media.length ? message.media.map((media) => media.filename ?? media.url).join(', ') : 'channel data';
}

function messageRow(message, ...tools) {
  return el('tr', { class: 'open', tabindex: 0, onclick: () => showMessage(message.id), onkeydown: (event) => event.key === 'Enter' && event.target === event.currentTarget && showMessage(message.id) },
    el('td', {}, badge(message.status, message.error)),
    el('td', {}, message.account), el('td', {}, message.to),
    el('td', { class: 'text' }, preview(message), message.waitingFor ? el('div', { class: 'quiet' }, waits(message)) : message.error && message.status !== 'delivered' ? el('div', { class: 'quiet' }, message.error) : null),
    el('td', { class: 'num' }, message.attempts),
    el('td', { class: 'when', title: message.createdAt }, ago(message.createdAt)),
    tools.length ? el('td', { class: 'tools' }, tools.flatMap((tool) => [tool, ' '])) : null);
}

const COLUMNS = [{ name: 'Status' }, { name: 'Account' }, { name: 'To' }, { name: 'Message' }, { name: 'Attempts', num: true }, { name: 'Accepted' }];

/** What the platform has told since it took the message. */
function heard(message) {
  const words = message.receipts.filter((receipt) => receipt.state)
    .map((receipt) => `${message.parts.length > 1 ? `part ${receipt.part + 1} ` : ''}${receipt.state}${receipt.at ? ` ${ago(receipt.at)}` : ''}${receipt.detail ? ` (${receipt.detail})` : ''}`);
  return message.receiptStatus ? [message.receiptStatus, words.join('; ')].filter(Boolean).join(': ') : null;
}

export async function showMessage(id) {
  const message = await get(path`/v1/messages/${id}`);
  const dialog = document.getElementById('details');
  const facts = { Id: message.id, To: `${message.to} on ${message.account}`, Text: message.text, Reason: message.reason, Error: message.error, Attempts: message.attempts, Accepted: message.createdAt, Waits: waits(message), Ended: message.endedAt, Receipts: message.parts.map((part) => part.receipt).filter(Boolean).join(', '), 'The platform says': heard(message), 'Replay of': message.replayOf, 'Replayed as': message.replayedAs, Key: message.idempotencyKey, Metadata: Object.keys(message.metadata).length ? JSON.stringify(message.metadata) : null };
  const act = (label, action, said, kind) => button(label, async () => { await action(); dialog.close(); done(said); }, kind);
  const waiting = message.status === 'queued';
  dialog.replaceChildren(
    el('h2', {}, 'Message ', badge(message.status), message.late ? badge('late') : null, message.possibleDuplicate ? badge('possible duplicate') : null),
    el('dl', {}, Object.entries(facts).filter(([, value]) => value != null && value !== '').flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)])),
    message.history.length ? el('div', { class: 'scroll' }, el('table', {}, el('tbody', {}, message.history.map((entry) => el('tr', {}, el('td', {}, new Date(entry.at).toLocaleTimeString()), el('td', {}, entry.outcome), el('td', {}, entry.error ?? ''), el('td', {}, entry.nextAt && new Date(entry.nextAt) > Date.now() ? `again ${ago(entry.nextAt)}` : '')))))) : null,
    el('menu', {},
      waiting && act('Try now', () => post(path`/v1/messages/${id}/retry`), 'It will be tried now.'),
      waiting && act('Cancel', () => post(path`/v1/messages/${id}/cancel`), 'Cancelled.', 'danger'),
      el('button', { type: 'button', class: 'primary', onclick: () => dialog.close() }, 'Close')));
  dialog.showModal();
}

const filter = { status: '', receiptStatus: '', account: '', to: '', text: '', idempotencyKey: '', since: '' };

export async function messages() {
  const query = new URLSearchParams(Object.entries({ ...filter, limit: 50 }).filter(([, value]) => value));
  const [page, accounts] = await Promise.all([get(`/v1/messages?${query}`), get('/v1/accounts')]);
  const choose = (key, label, values) => el('select', { 'aria-label': label, onchange: (event) => { filter[key] = event.target.value; shared.refresh(); } },
    el('option', { value: '' }, label), values.map((value) => el('option', { value, selected: filter[key] === value }, value)));
  const tools = [choose('status', 'Any status', STATUSES), choose('receiptStatus', 'Any receipt', RECEIPTS), choose('account', 'Any account', accounts.items.map((account) => account.id)),
    ...[['to', 'Chat'], ['text', 'Text contains'], ['idempotencyKey', 'Key'], ['since', 'Since, as 6h']].map(([key, label]) =>
      el('input', { placeholder: label, 'aria-label': label, value: filter[key], onchange: (event) => { filter[key] = event.target.value.trim(); shared.refresh(); } }))];
  const looked = page.scanned != null && page.next ? el('p', { class: 'quiet' }, `Looked at ${number(page.scanned)} messages, back to ${page.scannedUntil}. Older ones were not looked at: choose a chat or an account.`) : null;
  return [card('Messages', tools, table(COLUMNS, page.items.map((message) => messageRow(message)), 'None that match. Send one from the Sandbox page.'), looked)];
}

// ---- overview

function tile(name, value, note) {
  return el('div', { class: 'tile' }, el('div', { class: 'name' }, name), el('div', { class: 'number' }, value), el('div', { class: 'note' }, note ?? ''));
}

function accountRow(account, stats) {
  const at = (action) => path`/v1/accounts/${account.id}/${action}`;
  return el('tr', {},
    el('td', {}, el('strong', {}, account.id), el('div', { class: 'quiet' }, account.node && stats.accounts.some((other) => other.node !== account.node) ? `${account.channel}, worked by ${account.node}` : account.channel)),
    el('td', {}, badge(account.health), el('div', { class: 'quiet', title: account.since }, account.reason ? `${account.reason}, since ${ago(account.since)}` : ''), account.nextProbeAt ? el('div', { class: 'quiet' }, `asked again ${ago(account.nextProbeAt)}`) : null, account.listening.status === 'failing' ? el('div', { title: account.listening.since }, badge(account.listening.refused ? 'refused' : 'failing'), ` hears nothing${account.listening.refused ? ', the platform refuses it' : ''}: ${account.listening.cause ?? ''}, since ${ago(account.listening.since)}`) : null),
    el('td', { class: 'num' }, number(account.queued)), el('td', { class: 'num' }, number(account.sending)), el('td', { class: 'num' }, number(account.deadLetters)),
    el('td', {}, account.oldestWaitingAt ? ago(account.oldestWaitingAt) : ''),
    el('td', { class: 'tools' },
      account.needsLogin ? [button('Log in', async () => logIn(account.id, shared.refresh), 'primary'), ' '] : null,
      button('Check', async () => { const check = await post(at('check')); toast(`${account.id}: ${check.result}${check.cause ? `, ${check.cause}` : ''}`, check.result !== 'healthy'); }), ' ',
      account.health === 'paused' ? button('Resume', async () => { await post(at('resume')); done(`${account.id} sends again.`); }) : button('Pause', async () => { await post(at('pause')); done(`${account.id} is paused.`); })));
}

function nodeRow(node, cluster) {
  return el('tr', {},
    el('td', {}, node.address && node.name !== cluster.node ? el('a', { href: node.address }, el('strong', {}, node.name)) : el('strong', {}, node.name), node.name === cluster.node ? el('div', { class: 'quiet' }, 'you look at this one') : null),
    el('td', {}, badge(node.alive ? 'alive' : 'dead'), node.name === cluster.home ? el('div', { class: 'quiet' }, 'does the chores') : null),
    el('td', {}, node.accounts.join(', ')),
    el('td', { class: 'when', title: node.seenAt }, ago(node.seenAt)),
    el('td', { class: 'when', title: node.startedAt }, ago(node.startedAt)));
}

function clusterCard(cluster) {
  if (!cluster.shared) return null;
  const columns = [{ name: 'Node' }, { name: 'State' }, { name: 'Works' }, { name: 'Last seen' }, { name: 'Started' }];
  const last = cluster.takeovers.find((takeover) => takeover.died);
  const note = last ? `last takeover ${ago(last.at)}: ${last.account} from ${last.from} to ${last.to}, after ${last.gap}` : 'no takeover so far';
  return card('Cluster', el('span', { class: 'quiet' }, note), table(columns, cluster.nodes.map((node) => nodeRow(node, cluster)), ''));
}

export async function overview() {
  const [stats, recent, cluster] = await Promise.all([get('/v1/stats'), get('/v1/messages?limit=10'), get('/v1/cluster')]);
  const columns = [{ name: 'Account' }, { name: 'Health' }, { name: 'Queued', num: true }, { name: 'Sending', num: true }, { name: 'Dead letters', num: true }, { name: 'Oldest waiting' }, { name: '' }];
  return [ // without the cluster's card where there is none
    el('div', { class: 'tiles' },
      tile('Queued', number(stats.queued), stats.counted ? `${number(stats.sending)} being sent` : 'still counting'),
      tile('Accepted', number(stats.accepted), `${number(shared.acceptedPerSecond)} a second`),
      tile('Delivered', number(stats.delivered), `${number(shared.perSecond)} a second`),
      tile('Retried', number(stats.retried), `${number(stats.throttled)} throttled`),
      tile('Dead letters', number(stats.deadLetters), `${number(stats.failed + stats.expired + stats.held)} since the start`),
      tile('Inbound', number(stats.inbound.pending), `${number(stats.inbound.handled)} handled`),
      tile('Paused lanes', number(stats.pausedLanes), `up ${ago(stats.startedAt).replace(" ago", "")}`)),
    card('Delivered per second', el('span', { class: 'quiet' }, 'last five minutes'), el('div', { class: 'body' }, chart(shared.rates))),
    clusterCard(cluster),
    card('Accounts', null, table(columns, stats.accounts.map((account) => accountRow(account, stats)), 'None is configured.')),
    card('Recent messages', el('a', { href: '#messages' }, 'All'), table(COLUMNS, recent.items.map((message) => messageRow(message)), 'None yet. Send one from the Sandbox page.')),
  ].filter(Boolean);
}

// ---- dead letters and lanes

export async function deadLetters() {
  const page = await get('/v1/dead-letters?limit=100');
  const open = page.items.filter((letter) => !letter.replayedAs);
  const rows = page.items.map((letter) => messageRow(letter,
    letter.replayedAs ? badge('replayed') : button('Replay', async () => { await post(path`/v1/dead-letters/${letter.id}/replay`); done('Sent again.'); }),
    button('Discard', async () => { await remove(path`/v1/dead-letters/${letter.id}`); done('Discarded.'); }, 'danger')));
  const all = open.length ? button('Replay all', async () => {
    const { matched } = await post('/v1/dead-letters/replay', { dryRun: true });
    if (!confirm(`Send ${matched} messages again?`)) return;
    const result = await post('/v1/dead-letters/replay', {});
    done(`${result.replayed} sent again${result.remaining ? `, ${result.remaining} remain` : ''}.`);
  }) : null;
  return [card('Dead letters', all, table([...COLUMNS, { name: '' }], rows, 'None: everything was delivered or is on its way.'))];
}

export async function lanes() {
  const page = await get('/v1/lanes?limit=200');
  const columns = [{ name: 'Account' }, { name: 'Chat' }, { name: 'Waiting', num: true }, { name: 'Head' }, { name: 'Waits' }, { name: '' }];
  const rows = page.items.map((lane) => {
    const at = { account: lane.account, to: lane.to };
    return el('tr', {}, el('td', {}, lane.account), el('td', {}, lane.to), el('td', { class: 'num' }, number(lane.depth)),
      el('td', {}, lane.paused ? badge('paused') : lane.headStatus ? badge(lane.headStatus) : ''), el('td', {}, waits(lane)),
      el('td', { class: 'tools' }, lane.paused ? button('Resume', async () => { await post('/v1/lanes/resume', at); done('The lane goes on.'); }) : button('Pause', async () => { await post('/v1/lanes/pause', at); done('The lane is paused.'); })));
  });
  return [card('Lanes', el('span', { class: 'quiet' }, 'chats with messages waiting, or paused'), table(columns, rows, 'No messages are waiting and no lane is paused.'))];
}

// ---- sandbox

const draft = { account: '', to: 'friends', text: '' };

function sendForm(accounts) {
  draft.account ||= accounts.find((account) => account.channel === 'sandbox')?.id ?? accounts[0]?.id ?? '';
  const keep = (key) => ({ id: `draft-${key}`, name: key, oninput: (event) => { draft[key] = event.target.value; } });
  const text = el('textarea', { rows: 3, required: true, ...keep('text') });
  text.value = draft.text;
  return el('form', { class: 'form', onsubmit: async (event) => {
    event.preventDefault();
    try {
      const message = await post('/v1/messages?wait=5s', draft);
      draft.text = '';
      document.getElementById('draft-text').value = '';
      toast(`Message ${message.status}.`, message.status === 'failed');
      shared.refresh();
    } catch (problem) { toast(problem.message, true); }
  } },
    el('label', {}, 'Account', el('select', keep('account'), accounts.map((account) => el('option', { value: account.id, selected: account.id === draft.account }, account.id)))),
    el('label', {}, 'Chat', el('input', { value: draft.to, required: true, ...keep('to') })),
    el('label', { class: 'wide' }, 'Text', text),
    el('div', {}, el('button', { class: 'primary' }, 'Send')));
}

// People who write, for those who have no platform at hand.

const person = { account: '', chat: 'ann', text: '' };

function writeForm(boxes) {
  person.account ||= boxes[0].id;
  const keep = (key) => ({ id: `person-${key}`, name: key, oninput: (event) => { person[key] = event.target.value; } });
  return el('form', { class: 'form', onsubmit: async (event) => {
    event.preventDefault();
    try {
      await post(path`/v1/sandbox/${person.account}/messages`, { chat: person.chat, text: person.text });
      person.text = '';
      document.getElementById('person-text').value = '';
      shared.refresh();
    } catch (problem) { toast(problem.message, true); }
  } },
    el('label', {}, 'Account', el('select', keep('account'), boxes.map((account) => el('option', { value: account.id, selected: account.id === person.account }, account.id)))),
    el('label', {}, 'Who writes', el('input', { value: person.chat, required: true, ...keep('chat') })),
    el('label', { class: 'wide' }, 'Text', el('input', { value: person.text, required: true, autocomplete: 'off', ...keep('text') })),
    el('div', {}, el('button', { class: 'primary' }, 'Write')));
}

const arrived = (part) => ({ at: part.at, bubble: el('div', { class: 'bubble' }, el('span', { class: 'meta' }, `${part.chat} on ${part.account}, ${ago(part.at)}`), part.text ?? '', ...part.media.map((file) => el('div', {}, el('code', {}, `${file.loop ? 'looping ' : ''}${file.kind}: ${file.filename ?? file.url}`)))) });

const written = (event) => ({ at: event.receivedAt, bubble: el('div', { class: 'bubble mine' }, el('span', { class: 'meta' }, `${event.sender.id} on ${event.account}, ${ago(event.receivedAt)} `, badge(event.status, event.error)), event.text ?? '') });

export async function sandbox() {
  const { items } = await get('/v1/accounts');
  const boxes = items.filter((account) => account.channel === 'sandbox');
  const [inboxes, wrote] = await Promise.all([
    Promise.all(boxes.map((account) => get(path`/v1/sandbox/${account.id}/inbox` + '?limit=50'))),
    Promise.all(boxes.map((account) => get(`/v1/inbound?limit=50&${new URLSearchParams({ account: account.id })}`)))]);
  const shown = [...inboxes.flatMap((inbox) => inbox.items).map(arrived), ...wrote.flatMap((page) => page.items).map(written)].sort((a, b) => b.at.localeCompare(a.at)).slice(0, 50);
  return [el('div', { class: 'columns' },
    card('Phones of the sandbox', el('span', { class: 'quiet' }, 'what people see, and what they write'), shown.length ? el('div', { class: 'body bubbles' }, shown.map((each) => each.bubble)) : el('p', { class: 'empty' }, boxes.length ? 'Nothing has arrived yet.' : 'No account is on the sandbox channel.')),
    el('div', { class: 'stack' },
      card('Send a test message', null, el('div', { class: 'body' }, sendForm(items), el('p', { class: 'quiet' }, 'On the sandbox, #flaky, #fail, #throttle, #unknown or #slow in the text make it misbehave.'))),
      boxes.length ? card('Write as somebody', null, el('div', { class: 'body' }, writeForm(boxes), el('p', { class: 'quiet' }, 'It comes in as any platform’s message does, and waits on the ', el('a', { href: '#inbound' }, 'Inbound'), ' page for whoever handles it.'))) : null))];
}
