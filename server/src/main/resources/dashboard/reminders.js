import { get, path, post, remove } from './api.js';
import { ago, badge, button, card, el, number, table, toast } from './dom.js';
import { shared } from './views.js';

const ENDED = ['success', 'partial', 'failed', 'cancelled'];
const TARGETS = ['pending', 'sending', 'sent', 'delivered', 'read', 'failed', 'skipped', 'cancelled'];

const done = (text) => { toast(text); shared.refresh(); };

// ---- runs

function progress(run) {
  const over = run.total - run.pending - run.sending;
  return el('progress', { max: Math.max(1, run.total), value: run.total ? over : 1, 'aria-label': `${over} of ${run.total} over` });
}

function standing(run) {
  const why = [run.reason, run.until ? `until ${ago(run.until)}` : null].filter(Boolean).join(', ');
  return [badge(run.status), el('div', { class: 'quiet' }, why || (ENDED.includes(run.status) ? run.errorSummary ?? '' : ''))];
}

function counts(run) {
  const others = ['delivered', 'read', 'failed', 'skipped', 'cancelled'].filter((status) => run[status]).map((status) => `${number(run[status])} ${status}`);
  return [`${number(run.sent)} of ${number(run.total)} sent`, ...others].join(', ');
}

function tools(run) {
  const act = (label, deed, body, said, kind) => button(label, async () => { await post(path`/v1/runs/${run.id}/${deed}`, body); done(said); }, kind);
  const resume = (label, scope) => act(label, 'resume', { scope }, 'The run goes on.');
  const cancel = button('Cancel', async () => {
    if (!confirm(`End “${run.name}”? ${number(run.pending)} chats will not be reached.`)) return;
    const ended = await post(path`/v1/runs/${run.id}/cancel`);
    done(ended.sending ? `Cancelled; ${number(ended.sending)} are being sent and may arrive.` : 'Cancelled.');
  }, 'danger');
  if (!ENDED.includes(run.status)) {
    return [run.status === 'paused' ? resume('Resume', 'pending') : act('Pause', 'pause', {}, 'The run is paused.'), ' ', cancel];
  }
  return [run.failed > 0 && resume('Retry failed', 'failed'), ' ', run.skipped + run.cancelled > 0 && resume('Send the rest', 'pending')];
}

function runRow(run) {
  const open = () => showTargets(run, '');
  return el('tr', { class: 'open', tabindex: 0, onclick: open, onkeydown: (event) => event.key === 'Enter' && event.target === event.currentTarget && open() },
    el('td', {}, el('strong', {}, run.name), el('div', { class: 'quiet' }, run.account)),
    el('td', {}, standing(run)),
    el('td', {}, progress(run), el('div', { class: 'quiet' }, counts(run))),
    el('td', { class: 'when', title: run.createdAt }, ago(run.createdAt)),
    el('td', { class: 'when', title: run.endedAt ?? run.eta }, ago(run.endedAt ?? run.eta)),
    el('td', { class: 'tools' }, tools(run)));
}

/** Who was reached, and who was not and why. */
async function showTargets(run, status) {
  const page = await get(path`/v1/runs/${run.id}/targets` + `?limit=200${status ? `&status=${status}` : ''}`);
  const dialog = document.getElementById('details');
  const choose = el('select', { 'aria-label': 'Any status', onchange: (event) => showTargets(run, event.target.value) },
    el('option', { value: '' }, 'Any status'), TARGETS.map((value) => el('option', { value, selected: value === status }, value)));
  const rows = page.items.map((target) => el('tr', {},
    el('td', {}, target.name ?? target.to, target.name ? el('div', { class: 'quiet' }, target.to) : null),
    el('td', {}, badge(target.status)), el('td', {}, target.error ?? ''),
    el('td', { class: 'when', title: target.endedAt }, ago(target.endedAt))));
  dialog.replaceChildren(
    el('h2', {}, run.name, ' ', badge(run.status)),
    el('p', { class: 'quiet' }, run.summary ?? counts(run)),
    el('p', {}, choose),
    table([{ name: 'Chat' }, { name: 'Status' }, { name: 'Why' }, { name: 'Ended' }], rows, 'None that match.'),
    page.next ? el('p', { class: 'quiet' }, `The first ${page.items.length}; “postrider runs targets ${run.id} --csv” has them all.`) : null,
    el('menu', {}, el('button', { type: 'button', class: 'primary', onclick: () => dialog.close() }, 'Close')));
  if (!dialog.open) dialog.showModal();
}

// ---- reminders

function reminderRow(reminder) {
  return el('tr', {},
    el('td', {}, el('strong', {}, reminder.name), el('div', { class: 'quiet' }, reminder.account)),
    el('td', {}, reminder.scheduleText ?? 'fired by hand', el('div', { class: 'quiet' }, reminder.windowText ?? 'at any hour')),
    el('td', { class: 'num' }, number(reminder.targetCount)),
    el('td', { class: 'when', title: reminder.nextFireAt }, reminder.enabled ? ago(reminder.nextFireAt) : badge('off')),
    el('td', { class: 'tools' },
      button('Fire', async () => {
        if (!confirm(`Fire “${reminder.name}” to ${number(reminder.targetCount)} chats now?`)) return;
        await post(path`/v1/reminders/${reminder.id}/fire`);
        done('It has fired.');
      }), ' ',
      button('Delete', async () => {
        if (!confirm(`Delete “${reminder.name}”? Its runs stay.`)) return;
        await remove(path`/v1/reminders/${reminder.id}`);
        done('Deleted.');
      }, 'danger')));
}

export async function reminders() {
  const [all, runs] = await Promise.all([get('/v1/reminders?limit=100'), get('/v1/runs?limit=30')]);
  const runColumns = [{ name: 'Run' }, { name: 'Status' }, { name: 'Progress' }, { name: 'Fired' }, { name: 'Done' }, { name: '' }];
  const columns = [{ name: 'Reminder' }, { name: 'When' }, { name: 'Targets', num: true }, { name: 'Next' }, { name: '' }];
  return [
    card('Runs', el('span', { class: 'quiet' }, 'choose one to see who was reached'), table(runColumns, runs.items.map(runRow), 'No reminder has fired.')),
    card('Reminders', null, table(columns, all.items.map(reminderRow), 'None. Create one with “postrider reminders create --file notice.yaml”.')),
  ];
}
