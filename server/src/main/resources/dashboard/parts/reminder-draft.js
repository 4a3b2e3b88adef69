import { chosen } from '../base/settings.js';

/**
 * A reminder as the editor holds it: every choice has its fields, so that trying another one loses
 * nothing. `draftOf` reads what the API gave, `bodyOf` writes what it takes.
 */
export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];

const myZone = () => chosen().timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

const NEW = () => ({
  name: '', accounts: [], timezone: myZone(), messages: [{ text: '', format: 'markdown' }], targets: [],
  kind: 'hand', at: '', cron: '0 9 * * MON-FRI', every: { n: 1, unit: 'day', at: '09:00', on: [], dayOfMonth: '', from: '', until: '', times: '' },
  anyHour: false, window: { start: '06:00', end: '18:00', days: [...WEEKDAYS], onClose: 'stop' },
  afterClose: 'wait', overlap: 'refuse', perMinute: '', expiresIn: '', priority: 'bulk', enabled: true,
});

export function draftOf(reminder) {
  const draft = NEW();
  if (!reminder) return draft;
  const { schedule, window } = reminder;
  const [, n, unit] = /^(\d+)?\s*(day|week|month)s?$/i.exec(schedule?.every ?? '') ?? [];
  return {
    ...draft,
    name: reminder.name, timezone: reminder.timezone, messages: structuredClone(reminder.messages), targets: reminder.targets ?? [],
    accounts: reminder.accounts ?? [reminder.account],
    kind: !schedule ? 'hand' : unit ? 'every' : schedule.cron ? 'cron' : 'at',
    at: schedule && !unit && !schedule.cron ? schedule.at : '',
    cron: schedule?.cron ?? draft.cron,
    every: unit ? { ...draft.every, ...schedule, n: Number(n ?? 1), unit: unit.toLowerCase(), on: schedule.on ?? [] } : draft.every,
    anyHour: !window || window === 'none',
    window: !window || window === 'none' ? draft.window : { ...draft.window, ...window },
    afterClose: reminder.afterClose ?? draft.afterClose, overlap: reminder.overlap ?? draft.overlap,
    perMinute: reminder.perMinute ?? '', expiresIn: reminder.expiresIn ?? '', priority: reminder.priority, enabled: reminder.enabled,
  };
}

const present = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== '' && value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)));

function schedule(draft) {
  const { n, unit, at, on, dayOfMonth, from, until, times } = draft.every;
  switch (draft.kind) {
    case 'at': return { at: draft.at };
    case 'cron': return { cron: draft.cron };
    case 'every': return present({
      every: `${n} ${unit}${Number(n) === 1 ? '' : 's'}`, at, on: unit === 'week' ? on : [],
      dayOfMonth: unit === 'month' && dayOfMonth !== '' ? Number(dayOfMonth) : '', from, until, times: times === '' ? '' : Number(times),
    });
    default: return null;
  }
}

/** What the API takes. What is as it is by default is left out. */
export function bodyOf(draft) {
  const [account, ...others] = draft.accounts;
  return present({
    name: draft.name.trim(), ...(others.length > 0 ? { accounts: draft.accounts } : { account }),
    timezone: draft.timezone, schedule: schedule(draft), window: draft.anyHour ? 'none' : draft.window,
    afterClose: draft.afterClose === 'wait' ? '' : draft.afterClose, overlap: draft.overlap === 'refuse' ? '' : draft.overlap,
    perMinute: draft.perMinute === '' ? '' : Number(draft.perMinute), expiresIn: draft.expiresIn.trim(), priority: draft.priority, enabled: draft.enabled,
    targets: draft.targets, messages: draft.messages,
  });
}

/** The same with something in place of what is not written yet, so that its times can be told meanwhile. */
export function previewBodyOf(draft) {
  const body = bodyOf(draft);
  const said = draft.messages.filter((message) => message.text?.trim() || message.media?.length || message.channelData);
  const needed = placeholders(said);
  const whole = draft.targets.length > 0 && draft.targets.every((target) => needed.every((name) => valueOf(target, name) !== undefined));
  return {
    ...body, name: body.name ?? 'new',
    messages: whole && said.length > 0 ? said : draft.messages.map(() => ({ text: 'text' })),
    targets: draft.targets.length > 0 ? draft.targets : [{ to: 'chat' }],
  };
}

// ---- placeholders

const PLACEHOLDER = /(\\*)\{\{\s*([\p{L}\p{M}\p{N}_.-]+)\s*\}\}/gu;

/** The names of the values that messages need. */
export const placeholders = (messages) => [...new Set(messages.flatMap((message) => [message.text ?? '', message.threadId ?? '']
  .flatMap((text) => [...text.matchAll(PLACEHOLDER)].filter(([, slashes]) => slashes.length % 2 === 0).map(([, , name]) => name))))];

/** A target's value; its name goes by {{name}} unless there is a variable of that name. */
export const valueOf = (target, name) => target.variables?.[name] ?? (name === 'name' ? target.name ?? undefined : undefined);

/** A text with a target's values, as the server fills it in: in Markdown nothing of a value acts as markup. */
export const fill = (text, format, target) => (text ?? '').replaceAll(PLACEHOLDER, (whole, slashes, name) => {
  const kept = '\\'.repeat(Math.floor(slashes.length / 2));
  if (slashes.length % 2 === 1) return kept + whole.slice(slashes.length);
  const value = valueOf(target, name);
  if (value === undefined) return kept + whole.slice(slashes.length);
  return kept + (format === 'markdown' ? String(value).replace(/[\\`*_[\]<>#|~]/g, '\\$&') : value);
});
