import { chosen } from './settings.js';

/** Times, numbers and states in words. */

/** The one zone that all moments are shown and read in. */
export const zoneName = () => chosen().timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
const formats = new Map();

function format(options) {
  const timeZone = zoneName();
  const key = JSON.stringify([options, timeZone]);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat('en-GB', { ...options, timeZone }));
  return formats.get(key);
}

const DAY = { day: 'numeric', month: 'short' };
const CLOCK = { hour: '2-digit', minute: '2-digit' };
const EXACT = { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, timeZoneName: 'short' };

/** The time of day; with the day if it is not today. */
export function clock(instant, { seconds = true } = {}) {
  if (!instant) return '';
  const at = new Date(instant);
  const today = format({ year: 'numeric', ...DAY });
  const parts = { ...CLOCK, ...(seconds ? { second: '2-digit' } : {}) };
  return today.format(at) === today.format(new Date()) ? format(parts).format(at) : format({ ...DAY, ...parts }).format(at);
}

/** The moment to the millisecond, with the zone. */
export const exact = (instant) => (instant ? format(EXACT).format(new Date(instant)) : '');

/** What calendar and clock show in a zone at a moment: 2026-11-20T09:00:00. */
export const wallClock = (milliseconds, timeZone = zoneName()) => new Date(milliseconds)
  .toLocaleString('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' }).replace(' ', 'T');

/** The moment at which the clocks of the viewer's zone show this: 2026-11-20T09:00. */
export function momentOf(local) {
  const wanted = Date.parse(`${local}Z`);
  const ahead = (milliseconds) => Date.parse(`${wallClock(milliseconds)}Z`) - milliseconds;
  return new Date(wanted - ahead(wanted - ahead(wanted))).toISOString();
}

export function span(milliseconds) {
  const seconds = Math.round(Math.abs(milliseconds) / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** "PT23H5M6.48S" as "23 h 5 min 6 s"; a length that is written otherwise stays as it is. */
export function lasting(length) {
  const [, hours, minutes, seconds] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?$/.exec(length) ?? [];
  const parts = [[hours, 'h'], [minutes, 'min'], [seconds, 's']].filter(([amount]) => Number(amount) > 0);
  return parts.map(([amount, unit]) => `${amount} ${unit}`).join(' ') || length;
}

export function ago(instant, now = Date.now()) {
  if (!instant) return '';
  const passed = now - Date.parse(instant);
  if (Math.abs(passed) < 2000) return 'now';
  return passed < 0 ? `in ${span(passed)}` : `${span(passed)} ago`;
}

export const number = (value) => Number(value ?? 0).toLocaleString('en');

/** "1 message", "37 messages". */
export const count = (amount, one, many = `${one}s`) => `${number(amount)} ${amount === 1 ? one : many}`;

export function bytes(size) {
  if (size < 1024) return `${size} bytes`;
  const units = ['KiB', 'MiB', 'GiB'];
  const power = Math.min(units.length, Math.floor(Math.log2(size) / 10));
  return `${(size / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}

const TONES = {
  good: ['ready', 'alive', 'delivered', 'ok', 'handled', 'success', 'sent', 'read', 'live', 'active'],
  warn: ['throttled', 'leased', 'paused', 'starting', 'held', 'expired', 'partial', 'skipped', 'degraded', 'waiting', 'suppressed', 'connecting', 'missed', 'logged out'],
  bad: ['failed', 'broken', 'dead', 'failing', 'refused', 'unreachable', 'offline', 'gone'],
  busy: ['sending', 'running', 'open'],
};

/** 'good', 'warn', 'bad', 'busy' or '' for a state's name. */
export const tone = (word) => Object.keys(TONES).find((name) => TONES[name].includes(word)) ?? '';

const KINDS = {
  pace: 'waits for its turn', retry: 'is tried again later', behind: 'waits behind another message', lanePaused: 'lane paused', accountPaused: 'account paused',
  accountBroken: 'account broken', unreachable: 'account unreachable', storeDown: 'store takes no writes', window: 'window closed', sendAt: 'scheduled',
  otherNode: 'no node works the account', quietHours: 'quiet hours', receipt: 'waits for a receipt', other: 'waits for something else',
};

/** The kinds that can be looked for. */
export const WAITED_FOR = Object.keys(KINDS).filter((kind) => !['quietHours', 'other', 'window'].includes(kind));

/** A kind of waiting, in two or three words. */
export const waitingKind = (kind) => KINDS[kind] ?? kind;

/** Begins with a capital and ends with a full stop. */
export const sentence = (text) => (text ? `${text[0].toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}` : '');
