import { get, path, post, remove, save } from './api.js';
import { ago, badge, button, card, el, number, table, toast } from './dom.js';
import { shared, showMessage } from './views.js';

const STATUSES = ['pending', 'leased', 'handled', 'failed', 'discarded'];

const done = (text) => { toast(text); shared.refresh(); };

const who = (sender) => sender.name ?? sender.id;

const files = (media) => media.map((file) => el('div', {}, el('code', {}, `${file.kind}: ${file.filename ?? file.url ?? file.id}`),
  file.href ? [' ', button('Download', () => save(file.href, file.filename ?? file.kind))] : null));

// ---- inbound messages

const filter = { status: '', account: '', sessionId: '' };

function row(event, ...tools) {
  const open = () => showTurn(event.id);
  return el('tr', { class: 'open', tabindex: 0, onclick: open, onkeydown: (key) => key.key === 'Enter' && key.target === key.currentTarget && open() },
    el('td', {}, badge(event.status, event.error)),
    el('td', {}, event.sessionId),
    el('td', { class: 'text' }, el('strong', {}, who(event.sender)), ' ', event.text ?? event.kind, event.error && event.status !== 'handled' ? el('div', { class: 'quiet' }, event.error) : null),
    el('td', { class: 'num' }, event.attempts),
    el('td', { class: 'when', title: event.receivedAt }, ago(event.receivedAt)),
    el('td', { class: 'tools' }, tools.flatMap((tool) => [tool, ' '])));
}

function toolsOf(event) {
  if (event.status !== 'failed') return event.replayedAs ? [badge('replayed')] : [];
  return [
    event.replayedAs ? badge('replayed') : button('Replay', async () => { await post(path`/v1/inbound/${event.id}/replay`); done('It is handed out again.'); }),
    button('Discard', async () => { await remove(path`/v1/inbound/${event.id}`); done('Discarded.'); }, 'danger')];
}

const replayAll = () => button('Replay all', async () => {
  const which = filter.account ? { account: filter.account } : {};
  const { matched } = await post('/v1/inbound/replay', { ...which, dryRun: true });
  if (!confirm(`Hand out ${matched} messages again?`)) return;
  const result = await post('/v1/inbound/replay', which);
  done(`${result.replayed} are handed out again${result.remaining ? `, ${result.remaining} remain` : ''}.`);
});

export async function inbound() {
  const query = new URLSearchParams(Object.entries({ ...filter, limit: 50 }).filter(([, value]) => value));
  const [page, stats] = await Promise.all([get(`/v1/inbound?${query}`), get('/v1/stats')]);
  const choose = (key, label, values, name = (value) => value) => el('select', { 'aria-label': label, onchange: (event) => { filter[key] = event.target.value; shared.refresh(); } },
    el('option', { value: '' }, label), values.map((value) => el('option', { value, selected: filter[key] === value }, name(value))));
  const tools = [
    choose('status', 'Any status', STATUSES, (status) => status === 'failed' ? 'failed (dead letters)' : status),
    choose('account', 'Any account', stats.accounts.map((account) => account.id)),
    el('input', { placeholder: 'Session', 'aria-label': 'Session', value: filter.sessionId, onchange: (event) => { filter.sessionId = event.target.value.trim(); shared.refresh(); } }),
    filter.status === 'failed' && page.items.some((event) => !event.replayedAs) ? replayAll() : null].filter(Boolean);
  const columns = [{ name: 'Status' }, { name: 'Session' }, { name: 'Message' }, { name: 'Attempts', num: true }, { name: 'Received' }, { name: '' }];
  const counts = `${number(stats.inbound.pending)} wait, ${number(stats.inbound.leased)} are being handled, ${number(stats.inbound.failed)} ${stats.inbound.failed === 1 ? 'is a dead letter' : 'are dead letters'}`;
  return [card('Inbound', tools,
    table(columns, page.items.map((event) => row(event, ...toolsOf(event))), 'None that match. Write one on the Sandbox page.')),
  el('p', { class: 'quiet' }, counts)];
}

// ---- a turn

const fact = (name, value) => value == null || value === '' ? [] : [el('dt', {}, name), el('dd', {}, value)];

function replyForm(id, dialog) {
  const text = el('input', { placeholder: 'Reply', 'aria-label': 'Reply', required: true });
  return el('form', { class: 'line', onsubmit: async (event) => {
    event.preventDefault();
    try {
      await post('/v1/messages', { turnId: id, text: text.value });
      dialog.close();
      done('It is on its way.');
    } catch (problem) { toast(problem.message, true); }
  } }, text, el('button', { class: 'primary' }, 'Send'));
}

async function showTurn(id) {
  const turn = await get(path`/v1/turns/${id}`);
  const event = turn.message;
  const dialog = document.getElementById('details');
  const act = (label, action, said, kind) => button(label, async () => { await action(); dialog.close(); done(said); }, kind);
  const dead = event.status === 'failed';
  dialog.replaceChildren(
    el('h2', {}, 'Turn ', badge(event.status), ' ', turn.state ? badge(turn.state === event.status ? '' : turn.state) : null),
    el('dl', {}, fact('Id', event.id), fact('Session', event.sessionId), fact('From', `${who(event.sender)} in ${event.chat} (${event.chatKind}) on ${event.account}`), fact('Text', event.text), fact('Received', event.receivedAt), fact('Attempts', turn.attempts), fact('Handed out', turn.handedOutAt), fact(event.status === 'leased' ? 'Lease runs out' : 'Next', ['leased', 'pending'].includes(event.status) ? ago(event.dueAt) : null), fact('Error', event.error), fact('Turn ended', turn.endedAt), fact('Replay of', event.replayOf), fact('Replayed as', event.replayedAs)),
    ...files(event.media),
    turn.history.length ? el('div', { class: 'scroll' }, el('table', {}, el('tbody', {}, turn.history.map((note) => el('tr', {}, el('td', {}, new Date(note.at).toLocaleTimeString()), el('td', {}, `attempt ${note.attempt}`), el('td', {}, note.error), el('td', {}, note.nextAt ? `again ${ago(note.nextAt)}` : '')))))) : null,
    turn.messages.length ? el('div', { class: 'scroll' }, el('table', {}, el('tbody', {}, turn.messages.map((message) => el('tr', { class: 'open', onclick: () => { dialog.close(); showMessage(message.id); } }, el('td', {}, badge(message.status, message.error)), el('td', { class: 'text' }, message.text ?? 'files'), el('td', {}, message.dispatchKind ?? '')))))) : el('p', { class: 'quiet' }, 'It has caused no messages.'),
    replyForm(id, dialog),
    el('menu', {},
      button('Conversation', async () => { dialog.close(); openSession(event.sessionId); }),
      dead && !event.replayedAs && act('Replay', () => post(path`/v1/inbound/${id}/replay`), 'It is handed out again.'),
      dead && act('Discard', () => remove(path`/v1/inbound/${id}`), 'Discarded.', 'danger'),
      el('button', { type: 'button', class: 'primary', onclick: () => dialog.close() }, 'Close')));
  dialog.showModal();
}

// ---- sessions

let selected = null;

function openSession(id) {
  selected = id;
  if (location.hash === '#sessions') shared.refresh();
  else location.hash = '#sessions';
}

function sessionRow(session) {
  const open = () => openSession(session.id);
  return el('tr', { class: session.id === selected ? 'open chosen' : 'open', tabindex: 0, onclick: open, onkeydown: (key) => key.key === 'Enter' && open() },
    el('td', {}, el('strong', {}, session.id), session.paused ? el('div', { class: 'quiet' }, session.pauseReason) : null),
    el('td', {}, session.paused ? badge('paused') : null),
    el('td', { class: 'num' }, number(session.waiting)),
    el('td', { class: 'when', title: session.lastAt }, ago(session.lastAt)));
}

function bubble(entry) {
  const heard = entry.kind === 'heard';
  const said = heard ? entry.message : entry;
  const meta = heard ? `${who(said.sender)}, ${ago(entry.at)}` : `we${said.dispatchKind ? ` (${said.dispatchKind})` : ''}, ${ago(entry.at)}`;
  const open = () => heard ? showTurn(said.id) : showMessage(said.messageId).catch((problem) => toast(problem.message, true));
  return el('button', { type: 'button', class: heard ? 'bubble' : 'bubble mine', onclick: open },
    el('span', { class: 'meta' }, meta, heard && said.status !== 'handled' ? [' ', badge(said.status)] : null), said.text ?? (heard ? said.kind : ''), ...files(said.media));
}

async function conversation(session) {
  const page = await get(path`/v1/sessions/${session.id}/history` + '?limit=50');
  const switched = (action, said) => async () => { await post(`/v1/sessions/${action}`, { id: session.id }); done(said); };
  const tool = session.paused ? button('Resume', switched('resume', 'The session goes on.')) : button('Pause', switched('pause', 'Nothing of this session is handed out.'));
  return card(session.id, tool, el('div', { class: 'body bubbles' },
    page.next ? el('p', { class: 'quiet' }, 'The last 50; the API has the rest.') : null, page.items.toReversed().map(bubble)));
}

export async function sessions() {
  const { items } = await get('/v1/sessions?limit=100');
  if (selected == null && items.length) selected = items[0].id;
  const session = items.find((each) => each.id === selected) ?? (selected == null ? null : await get(path`/v1/sessions/${selected}`).catch(() => null));
  const columns = [{ name: 'Session' }, { name: '' }, { name: 'Waiting', num: true }, { name: 'Last' }];
  return [el('div', { class: 'columns even' },
    card('Sessions', el('span', { class: 'quiet' }, 'the latest word first'), table(columns, items.map(sessionRow), 'Nobody has written yet. Write on the Sandbox page.')),
    session ? await conversation(session) : null)];
}
