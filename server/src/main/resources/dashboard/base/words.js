import { chosen } from './settings.js';

/** Times, numbers and states in words. */

const zone = () => (chosen().timeZone ? { timeZone: chosen().timeZone } : {});
const formats = new Map();

function format(options) {
  const key = JSON.stringify([options, zone()]);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat('en-GB', { ...options, ...zone() }));
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

export function span(milliseconds) {
  const seconds = Math.round(Math.abs(milliseconds) / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
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
  warn: ['throttled', 'leased', 'paused', 'starting', 'held', 'expired', 'partial', 'skipped', 'degraded', 'waiting', 'suppressed', 'connecting', 'missed'],
  bad: ['failed', 'broken', 'dead', 'failing', 'refused', 'unreachable', 'offline', 'gone'],
  busy: ['sending', 'running', 'open'],
};

/** 'good', 'warn', 'bad', 'busy' or '' for a state's name. */
export const tone = (word) => Object.keys(TONES).find((name) => TONES[name].includes(word)) ?? '';

const KINDS = {
  pace: 'waits for its turn', retry: 'is tried again later', behind: 'waits behind another message', lanePaused: 'lane paused', accountPaused: 'account paused',
  accountBroken: 'account broken', unreachable: 'cannot be reached', storeDown: 'store takes no writes', window: 'window closed', sendAt: 'scheduled',
  otherNode: 'no node works the account', quietHours: 'quiet hours', receipt: 'waits for a receipt', other: 'waits for something else',
};

/** A kind of waiting, in two or three words. */
export const waitingKind = (kind) => KINDS[kind] ?? kind;

/** Why something waits and until when, in a sentence; empty if it waits for nothing. */
export function waits(waitingFor) {
  if (!waitingFor) return '';
  const { kind, until, since, cause, messageId } = waitingFor;
  const because = cause ? `: ${cause}` : '';
  const from = since ? ` since ${clock(since)}` : '';
  const at = (words) => (until ? `; ${words} ${clock(until)}` : '');
  return {
    pace: () => (until ? `may go at ${clock(until)}${because}` : 'waits for its turn'),
    retry: () => (until ? `tried again at ${clock(until)}` : 'tried again now') + (cause ? `, after: ${cause}` : ''),
    behind: () => `waits behind ${messageId ?? 'another message'}`,
    lanePaused: () => `the lane is paused${from}${because}`,
    accountPaused: () => `the account is paused${from}${because}`,
    accountBroken: () => `the account is broken${from}${because}${at('asked again at')}`,
    unreachable: () => `cannot be reached${from}${because}${at('next probe at')}`,
    storeDown: () => `the store takes no writes${from}${because}`,
    window: () => (until ? `the window opens at ${clock(until)}` : 'waits for its window'),
    quietHours: () => (until ? `quiet hours until ${clock(until)}` : 'quiet hours'),
    sendAt: () => (until ? `to be sent at ${clock(until)}` : 'to be sent now'),
    otherNode: () => cause ?? 'no node works the account',
    receipt: () => `${cause}${at('goes on at')}`,
  }[kind]?.() ?? `${kind}${because}`;
}
