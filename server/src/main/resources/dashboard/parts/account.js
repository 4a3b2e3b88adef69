import { html, nothing } from '/lib/lit-html/lit-html.js';
import { bytes, clock, count, number } from '../base/words.js';
import { at, badge, fact, since } from './shown.js';

/** What pages say about an account: what is wrong with it, what happens next, what one can do. */

/** The states of accounts, those that need somebody first. */
export const STATES = ['broken', 'unreachable', 'logged out', 'paused', 'starting', 'degraded', 'ready'];

/** An account's state by its one name: that a person must log it in says more than that it is starting. */
export const stateOf = (account) => (account.needsLogin && account.health !== 'paused' ? 'logged out' : account.health);

/** Accounts that need somebody first. */
export const byTrouble = (one, other) => STATES.indexOf(stateOf(one)) - STATES.indexOf(stateOf(other))
  || (other.listening.status === 'failing') - (one.listening.status === 'failing') || one.id.localeCompare(other.id);

/** Whether somebody should look at it. */
export const inTrouble = (account) => account.health !== 'ready' || account.listening.status === 'failing';

const next = (account) => (account.nextProbeAt ? ` It is asked again at ${clock(account.nextProbeAt)}.` : '');
const kept = 'Its messages wait and no attempt is charged; none is lost before its age limit.';

/** What is wrong, what happens by itself and what a person can do: sentences, none if all is well. */
export function advice(account) {
  const { health, reason, needsLogin, listening, throttledUntil } = account;
  const sentences = {
    starting: () => (needsLogin
      ? ['A person must log it in on their phone.', kept, 'Log it in here.']
      : [reason ? `It is not ready yet: ${reason}.` : 'It is not ready yet.', kept, 'It is tried by itself; if it stays so, check its settings and the log.']),
    paused: () => [`An operator has paused it${reason ? `: ${reason}` : ''}.`, kept, 'Nothing is sent until somebody resumes it.'],
    broken: () => [`The platform refuses it${reason ? `: ${reason}` : ''}.`, kept + next(account),
      'Mend its token or its rights at the platform, then check it. A changed configuration holds after a restart.'],
    unreachable: () => [`Its platform cannot be reached${reason ? `: ${reason}` : ''}.`, `${kept} One probe at a time goes out.${next(account)}`,
      'Check the network, the proxy and the platform’s own status page.'],
    degraded: () => [reason ? `It works, but not as it should: ${reason}.` : 'It sends slower than it should, or hears nothing.'],
  }[health]?.() ?? [];
  if (account.outages.length > 1) {
    sentences.push(`Away are: ${account.outages.map(({ server, since: from }) => `${server ?? 'the platform'} since ${clock(from)}`).join(', ')}${account.moreOutages ? `, and ${number(account.moreOutages)} more` : ''}. What is for others goes out.`);
  }
  if (throttledUntil) sentences.push(`The platform has asked it to wait until ${clock(throttledUntil)}; it goes on by itself.`);
  if (listening.status === 'failing' && reason !== listening.cause) {
    sentences.push(`It does not hear what people write: ${listening.cause}. ${listening.refused ? 'The platform does not let it; it goes on sending. Change that at the platform.' : 'It tries again by itself.'}`);
  }
  return sentences.map((text) => text.replace(/([.!?])\.$/, '$1'));
}

/** Its health in its colour, since when, and the first thing to know. */
export const healthOf = (account) => html`${badge(stateOf(account))} ${account.since ? html`<span class="quiet">since ${at(account.since)}</span>` : nothing}
  ${advice(account).slice(0, 1).map((text) => html`<div>${text}</div>`)}
  ${account.nextProbeAt ? html`<div class="quiet">Asked again ${since(account.nextProbeAt)}</div>` : nothing}`;

/** Whether it hears, since when, and why not. */
export const listeningOf = ({ listening }) => ({
  off: () => html`<span class="quiet" title="It does not listen by itself; what comes to it comes by webhook, if at all.">off</span>`,
  ok: () => html`${badge('ok')} <span class="quiet">${listening.since ? html`since ${at(listening.since)}` : nothing}</span>`,
}[listening.status]?.() ?? html`${badge(listening.refused ? 'refused' : listening.status)} <span class="quiet">${listening.since ? html`since ${at(listening.since)}` : nothing}</span>
  <div>${listening.cause}</div>`);

const LENGTHS = { '1s': 'second', '1m': 'minute', '1h': 'hour' };
const limits = (list) => list.map(({ requests, in: length }) => `${number(requests)} per ${LENGTHS[length] ?? length}`).join(', ');

/** A channel's own pace in words: "30 per second, 16 at once; in one chat 1 per second". */
function channelPace({ account, chat, concurrency }) {
  return `${account.length ? limits(account) : 'no limit'}, ${number(concurrency)} at once${chat.length ? `; in one chat ${limits(chat)}` : ''}`;
}

const PERIODS = { perSecond: 'second', perMinute: 'minute', perHour: 'hour', perDay: 'day' };
const allowed = (pace) => Object.entries(pace ?? {}).filter(([name]) => name.startsWith('per'))
  .map(([name, requests]) => `${number(requests)} per ${PERIODS[name] ?? name.slice('per'.length)}`).join(', ');

/** The pace an account is configured with, or has from its channel. */
export function paceInWords(pace) {
  if (!pace) return null;
  const chat = allowed(pace.chat);
  return [`${allowed(pace) || 'no limit'}${pace.burst ? `, up to ${number(pace.burst)} in one go` : ''}`, `${number(pace.concurrency)} chats at once`, chat ? `in one chat ${chat}` : null].filter(Boolean).join('; ');
}

/** How much of that pace is in use, and when the account as a whole may send again. */
export function paceInUse({ pace, share, throttledUntil }) {
  const part = pace?.inUse?.share ?? share;
  const opens = pace?.inUse?.opensAt ?? throttledUntil;
  return html`${part < 1 ? `${Math.round(part * 100)} % of it, after complaints of the platform or because the account is young; it grows by itself` : 'all of it'}${opens ? html`; it goes on at ${at(opens)}${pace?.inUse?.cause ? ` (${pace.inUse.cause})` : ''}` : nothing}`;
}

const UNITS = { utf16: 'UTF-16 units', characters: 'characters', bytes: 'bytes' };

/** What a channel can do, as facts. */
export const abilities = (channel) => html`<dl class="facts">
  ${fact('Text', `${number(channel.text.limit)} ${UNITS[channel.text.unit]} in one part${channel.text.markupCounts ? '' : ', markup not counted'}; longer texts go out in several`)}
  ${fact('Files', channel.media.length === 0 ? 'as links' : html`${channel.media.map((one) => html`<div>${one.kind} to ${bytes(one.maxBytes)}${one.types?.length ? `: ${one.types.join(', ')}` : ''}</div>`)}`)}
  ${fact('Files together', channel.filesPerMessage > 1 ? `up to ${channel.filesPerMessage}` : null)}
  ${fact('Receipts', channel.receipts.length ? channel.receipts.join(', ') : 'none: delivered means that the platform took it')}
  ${fact('Repeats', { null: 'the platform does not know a repeat', ever: 'the platform knows a repeat by its key for ever' }[channel.knowsRepeatsFor] ?? `the platform knows a repeat by its key for ${channel.knowsRepeatsFor}`)}
  ${fact('Its own pace', channelPace(channel.pace))}
  ${fact('Chats per request', channel.chatsPerRequest > 1 ? count(channel.chatsPerRequest, 'chat') : null)}
</dl>`;

const placeholder = (channel, setting) => (setting.secret
  ? `"\${${channel.name}_${setting.name}}"`.replace(/[a-z-]+/gi, (word) => word.replace(/([a-z])([A-Z])/g, '$1_$2').replaceAll('-', '_').toUpperCase())
  : '""');

/** The lines of a configuration that add an account of a channel: what is needed, and the rest as comments. */
export function yamlFor(channel) {
  const line = (setting) => `    ${setting.required ? '' : '# '}${setting.name}:${setting.required ? ` ${placeholder(channel, setting)}` : ''}   # ${setting.about}`;
  const needed = channel.settings.filter((setting) => setting.required);
  const others = channel.settings.filter((setting) => !setting.required);
  return ['accounts:', `  - id: my-${channel.name}`, `    channel: ${channel.name}`, ...needed.map(line), ...others.map(line)].join('\n');
}
