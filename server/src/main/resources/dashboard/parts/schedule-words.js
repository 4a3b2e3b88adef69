import { number } from '../base/words.js';

/** A schedule in plain words, told while it is being written. */
const DAYS = { MON: 'Monday', TUE: 'Tuesday', WED: 'Wednesday', THU: 'Thursday', FRI: 'Friday', SAT: 'Saturday', SUN: 'Sunday' };
const ORDER = Object.keys(DAYS);
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

const list = (words) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`);

/** "Monday to Friday", "Monday and Thursday". */
export function days(names) {
  const indexes = names.map((name) => ORDER.indexOf(name)).sort((a, b) => a - b);
  if (indexes.length === 7) return 'every day';
  const run = indexes.length > 2 && indexes.at(-1) - indexes[0] === indexes.length - 1;
  return run ? `${DAYS[ORDER[indexes[0]]]} to ${DAYS[ORDER[indexes.at(-1)]]}` : list(indexes.map((i) => DAYS[ORDER[i]]));
}

function date(text) {
  const [year, month, day] = text.split('-').map(Number);
  return `${day} ${MONTHS[month - 1]} ${year}`;
}

export function scheduleWords(draft) {
  switch (draft.kind) {
    case 'at': return draft.at ? `once, on ${date(draft.at.slice(0, 10))} at ${draft.at.slice(11, 16)}` : 'once; say when';
    case 'cron': return cronWords(draft.cron);
    case 'every': return everyWords(draft.every);
    default: return 'only by hand';
  }
}

function everyWords({ n, unit, at, on, dayOfMonth, from, until, times }) {
  const often = Number(n) === 1 ? `every ${unit}` : `every ${number(n)} ${unit}s`;
  const on_ = { week: on.length > 0 ? ` on ${days(on)}` : '', month: dayOfMonth === '' ? '' : Number(dayOfMonth) === 31 ? ' on the last day' : ` on day ${dayOfMonth}`, day: '' }[unit];
  const bounds = [from ? `from ${date(from)}` : '', until ? `until ${date(until)}` : '', times ? `${number(times)} times at most` : ''].filter(Boolean);
  return [`${often}${on_}${at ? ` at ${at}` : ''}`, ...bounds].join(', ');
}

/** The common forms of five fields; others are told by the server, with the next firings. */
function cronWords(cron) {
  const [minute, hour, day, month, weekday, ...rest] = cron.trim().split(/\s+/);
  if (weekday === undefined || rest.length > 0) return 'five fields are needed: minute, hour, day, month, weekday';
  const times = timesWords(minute, hour);
  const named = weekday === '*' ? 'every day' : weekdays(weekday.toUpperCase());
  if (!times || month !== '*' || named === null || (day !== '*' && weekday !== '*')) return `by ${cron.trim()}`;
  if (day === '*') return `${times}, ${/^every|to/.test(named) ? '' : 'only on '}${named}`;
  return /^\d+$/.test(day) ? `${times}, on day ${day} of the month` : `by ${cron.trim()}`;
}

function timesWords(minute, hour) {
  const two = (text) => text.padStart(2, '0');
  if (/^\d+$/.test(minute) && /^\d+(,\d+)*$/.test(hour)) return `at ${list(hour.split(',').map((one) => `${two(one)}:${two(minute)}`))}`;
  if (/^\d+$/.test(minute) && hour === '*') return Number(minute) === 0 ? 'every hour' : `every hour, at minute ${minute}`;
  const step = /^\*\/(\d+)$/.exec(minute)?.[1];
  return step && hour === '*' ? `every ${step} minutes` : null;
}

function weekdays(text) {
  const name = (one) => (/^[0-7]$/.test(one) ? ORDER[(Number(one) + 6) % 7] : one);
  const named = text.split(',').flatMap((one) => {
    const [from, to = from] = one.split('-').map(name);
    const [a, b] = [ORDER.indexOf(from), ORDER.indexOf(to)];
    return a < 0 || b < a ? [null] : ORDER.slice(a, b + 1);
  });
  return named.includes(null) ? null : days([...new Set(named)]);
}
