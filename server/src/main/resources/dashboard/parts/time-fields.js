import { html, live, nothing } from '../base/view.js';
import { WEEKDAYS } from './reminder-draft.js';
import { days, scheduleWords } from './schedule-words.js';

/**
 * When a reminder fires and when it may send: the fields of its editor. `form` has `draft`, `change`
 * and `field`, which shows what the server said of a field beside it.
 */
const COMMON = [
  ['0 9 * * *', 'every day at 09:00'], ['0 9 * * MON-FRI', 'Monday to Friday at 09:00'], ['0 9 * * FRI', 'every Friday at 09:00'],
  ['0 9 1 * *', 'on the first of the month at 09:00'], ['0 9,17 * * *', 'every day at 09:00 and 17:00'], ['0 * * * *', 'every hour'], ['*/15 * * * *', 'every 15 minutes'],
];

const options = (pairs, now) => pairs.map(([value, text]) => html`<option value=${value} ?selected=${value === now}>${text}</option>`);

const select = (now, pairs, change) => html`<select @change=${(event) => change(event.target.value)}>${options(pairs, now)}</select>`;

const input = (type, now, change, more = {}) => html`<input type=${type} .value=${live(String(now))} placeholder=${more.placeholder ?? nothing} min=${more.min ?? nothing} max=${more.max ?? nothing}
  list=${more.list ?? nothing} spellcheck="false" autocomplete="off" @input=${(event) => change(event.target.value)}>`;

const weekdayBoxes = (legend, chosen, change) => html`<fieldset class="wide days"><legend>${legend}</legend><span class="line">
  ${WEEKDAYS.map((day) => html`<label class="check"><input type="checkbox" .checked=${live(chosen.includes(day))}
    @change=${(event) => change(WEEKDAYS.filter((one) => (one === day ? event.target.checked : chosen.includes(one))))}>${days([day])}</label>`)}</span></fieldset>`;

export function scheduleFields(form) {
  const { draft } = form;
  const kinds = [['hand', 'Only by hand'], ['at', 'Once'], ['every', 'Every so many days, weeks or months'], ['cron', 'By a cron expression']];
  return html`
    ${form.field('It fires', 'schedule', select(draft.kind, kinds, (kind) => form.change({ kind })))}
    ${form.field('Time zone', 'timezone', html`${input('text', draft.timezone, (timezone) => form.change({ timezone }), { list: 'zones', placeholder: 'Asia/Kuala_Lumpur' })}
      <datalist id="zones">${Intl.supportedValuesOf('timeZone').map((zone) => html`<option value=${zone}></option>`)}</datalist>`)}
    ${{ at: once, cron, every, hand: () => nothing }[draft.kind](form)}
    <p class="wide words" role="status">It fires ${scheduleWords(draft)}${draft.kind === 'hand' ? '' : ` (${draft.timezone})`}.</p>`;
}

const once = (form) => form.field('On', 'schedule.at', input('datetime-local', form.draft.at, (at) => form.change({ at })));

const cron = (form) => html`
  ${form.field('Minute, hour, day, month, weekday', 'schedule.cron', input('text', form.draft.cron, (cron) => form.change({ cron }), { placeholder: '0 9 * * FRI' }))}
  ${form.field('Common ones', '', select(form.draft.cron, [['', 'choose one'], ...COMMON], (cron) => cron && form.change({ cron })))}`;

function every(form) {
  const now = form.draft.every;
  const change = (changes) => form.change({ every: { ...form.draft.every, ...changes } });
  return html`
    ${form.field('Every', 'schedule.every', html`<span class="pair">${input('number', now.n, (n) => change({ n }), { min: 1 })}
      <select aria-label="Days, weeks or months" @change=${(event) => change({ unit: event.target.value })}>${options([['day', 'days'], ['week', 'weeks'], ['month', 'months']], now.unit)}</select></span>`)}
    ${form.field('At', 'schedule.at', input('time', now.at, (at) => change({ at })))}
    ${now.unit === 'month' ? form.field('On day (31: the last)', 'schedule.dayOfMonth', input('number', now.dayOfMonth, (dayOfMonth) => change({ dayOfMonth }), { min: 1, max: 31 })) : nothing}
    ${now.unit === 'week' ? weekdayBoxes('On', now.on, (on) => change({ on })) : nothing}
    ${form.field('First day, if not today', 'schedule.from', input('date', now.from, (from) => change({ from })))}
    ${form.field('Last day, if any', 'schedule.until', input('date', now.until, (until) => change({ until })))}
    ${form.field('How often at most', 'schedule.times', input('number', now.times, (times) => change({ times }), { min: 1, placeholder: 'no end' }))}`;
}

export function windowFields(form) {
  const { draft } = form;
  const change = (changes) => form.change({ window: { ...form.draft.window, ...changes } });
  return html`
    ${form.field('It sends', '', select(draft.anyHour ? 'any' : 'window', [['window', 'only in these hours'], ['any', 'at any hour']], (hours) => form.change({ anyHour: hours === 'any' })))}
    ${draft.anyHour ? nothing : html`
      ${form.field('From', 'window.start', input('text', draft.window.start, (start) => change({ start }), { placeholder: '06:00' }))}
      ${form.field('Until', 'window.end', html`${input('text', draft.window.end, (end) => change({ end }), { placeholder: '18:00' })}<span>24:00 is midnight; a time before From is on the next day</span>`)}
      ${weekdayBoxes('On', draft.window.days, (chosen) => change({ days: chosen }))}
      ${form.field('When it closes before all are reached', 'window.onClose', select(draft.window.onClose, [['stop', 'end, and say who was not reached'], ['resume', 'wait, and go on when it opens again']], (onClose) => change({ onClose })))}
      ${draft.kind === 'hand' ? nothing : form.field('If it fires while the window is closed', 'afterClose', select(draft.afterClose, [['wait', 'wait for the next opening'], ['missed', 'send nothing, and say that it was missed']], (afterClose) => form.change({ afterClose })))}`}`;
}

export const paceFields = (form) => html`
  ${form.field('Messages a minute at most', 'perMinute', input('number', form.draft.perMinute, (perMinute) => form.change({ perMinute }), { min: 1, placeholder: 'as the account bears' }))}
  ${form.field('A run ends at the latest after', 'expiresIn', input('text', form.draft.expiresIn, (expiresIn) => form.change({ expiresIn }), { placeholder: 'no limit, or such as 3d' }))}
  ${form.field('If its last run is still under way', 'overlap', select(form.draft.overlap, [['refuse', 'do not fire'], ['allow', 'fire all the same']], (overlap) => form.change({ overlap })))}
  ${form.field('Live replies on the account', 'priority', select(form.draft.priority, [['bulk', 'go first'], ['live', 'wait their turn with it']], (priority) => form.change({ priority })))}`;
