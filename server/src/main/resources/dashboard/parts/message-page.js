import { View, html, nothing, repeat } from '../base/view.js';
import { path } from '../base/api.js';
import { Load } from '../base/load.js';
import { may } from '../base/me.js';
import { go, to } from '../base/route.js';
import { lasting, sentence } from '../base/words.js';
import { cancel, copyAsCurl, discard, pauseLane, replay, resumeLane, retry } from './message-actions.js';
import { timeline } from './message-timeline.js';
import { piece } from './pieces.js';
import { editAndReplay } from './replay.js';
import { at, badge, fact, old, pending } from './shown.js';
import './turn-card.js';
import { waits } from './waits.js';

const DEAD = ['failed', 'expired', 'held'];

/** One message: what happened to it, what it waits for, what the platform gets, and what can be done. */
class OneMessage extends View {
  static properties = { messageId: { attribute: false }, inner: { type: Boolean } };

  message = new Load(this, () => (this.messageId ? path`/v1/messages/${this.messageId}` : null), { on: ['message.', 'receipt.', 'lane.', 'account.'], pause: 700, every: 5000 });
  parts = new Load(this, () => (this.messageId ? path`/v1/messages/${this.messageId}/parts` : null), { on: ['message.', 'receipt.'], pause: 1500, every: 15_000 });

  #leaving = false;

  view() {
    const message = this.message.data;
    if (!message) return this.#missing();
    return html`
      <div class="title">
        ${this.inner ? html`<h2>What becomes of it</h2>` : html`<h1>Message to ${message.to}</h1>`}
        <span class="line">${badge(message.status, message.reason)}
          ${message.late ? html`<span class="badge warn">late</span>` : nothing}
          ${message.possibleDuplicate ? html`<span class="badge warn">possible duplicate</span>` : nothing}
          ${message.durable ? nothing : html`<span class="badge bad">not durable</span>`}</span>
      </div>
      ${old(this.message, this.parts)}
      ${this.#standing(message)}
      <div class="line">${this.#actions(message)}</div>
      <div class="columns wide-left">
        <div class="stack">
          <section class="card"><div class="head"><h2>What happened</h2></div><div class="body">${timeline(message)}</div></section>
          ${this.#partsCard(message)}
        </div>
        <div class="stack">
          ${message.turnId && may('read') ? html`<turn-card .turn=${message.turnId} .message=${message.id}></turn-card>` : nothing}
          <section class="card"><div class="head"><h2>About it</h2></div><div class="body">${this.#facts(message)}</div></section>
        </div>
      </div>`;
  }

  #missing() {
    const title = this.inner ? nothing : html`<h1>Message</h1>`;
    if (this.message.problem?.status === 404) {
      return html`${title}<p class="problem" role="alert">There is no message with the id ${this.messageId}. It may have been pruned: delivered ones are kept for two days, dead letters for thirty, unless the configuration says otherwise.</p>
        <p><a href=${to('messages')}>Show all messages</a></p>`;
    }
    return html`${title}${pending(this.message)}`;
  }

  /** In one sentence what it waits for, or why it ended as it did. */
  #standing(message) {
    if (message.waitingFor) return html`<p class="sentence">It is not sent yet: ${waits(message.waitingFor)}.</p>`;
    if (DEAD.includes(message.status)) return html`<p class="sentence bad">${sentence(message.error ?? message.reason)}</p>`;
    return nothing;
  }

  #actions(message) {
    const again = (action) => this.once('action', async () => { await action(); await this.message.reload(); });
    const lane = { account: message.account, to: message.movedTo ?? message.to };
    const paused = message.waitingFor?.kind === 'lanePaused';
    return html`
      ${may('admin') && message.status === 'queued' ? html`
        <button class="primary" @click=${() => again(() => retry(message))}>Retry now</button>
        <button class="danger" @click=${() => again(() => cancel(message))}>Cancel…</button>` : nothing}
      ${may('admin') && DEAD.includes(message.status) && !message.replayedAs ? html`
        <button class="primary" @click=${() => this.once('action', async () => go('messages', (await replay(message)).id))}>Replay</button>
        <button @click=${() => this.act(() => this.#edit(message))}>Edit and replay…</button>` : nothing}
      ${may('admin') && DEAD.includes(message.status) ? html`
        <button class="danger" ?disabled=${this.#leaving} @click=${() => this.#discard(message)}>Discard</button>` : nothing}
      ${may('admin') && paused ? html`<button class="primary" @click=${() => again(() => resumeLane(lane))}>Resume its lane</button>` : nothing}
      ${may('admin') && !paused ? html`<button @click=${() => again(() => pauseLane(lane))}>Pause its lane…</button>` : nothing}
      ${may('admin') && message.waitingFor?.kind === 'accountPaused' ? html`<a class="button" href=${to('accounts', message.account)}>See its account</a>` : nothing}
      <button @click=${() => this.act(() => copyAsCurl(message))}>Copy as curl</button>
      <a class="button" href=${to('waiting', null, { account: message.account, to: message.to })}>Its lane</a>`;
  }

  async #edit(message) {
    const replayed = await editAndReplay(message);
    if (replayed) go('messages', replayed.id);
  }

  #discard(message) {
    this.#leaving = true;
    this.requestUpdate();
    discard(message, {
      then: () => { if (this.isConnected && !this.inner) go('dead-letters'); },
      undone: () => { this.#leaving = false; this.requestUpdate(); },
    });
  }

  #facts(message) {
    const link = (id) => (id ? html`<a href=${to('messages', id)}><code>${id}</code></a>` : null);
    const names = Object.entries(message.metadata ?? {});
    return html`<dl class="facts">
      ${fact('Id', html`<code>${message.id}</code>`)}
      ${fact('Account', html`<a href=${to('accounts', message.account)}>${message.account}</a>`)}
      ${fact('Chat', html`<a href=${to('messages', null, { to: message.to, account: message.account })}>${message.to}</a>`)}
      ${fact('Moved to', message.movedTo)}
      ${fact('Text', message.text ? html`<div class="text-block bounded" tabindex="0" role="group" aria-label="Text">${message.text}</div>` : null)}
      ${fact('Format', message.format)}
      ${fact('Files', message.media?.length ? html`<ul class="bare">${message.media.map((media) => html`<li>${media.kind ?? 'file'}: ${media.filename ?? media.url}</li>`)}</ul>` : null)}
      ${fact('Accepted', at(message.createdAt))}
      ${fact('Due', message.endedAt ? null : at(message.dueAt))}
      ${fact('Attempts', `${message.attempts}${message.maxAttempts ? ` of ${message.maxAttempts}` : ''}`)}
      ${fact('Receipts', message.receiptStatus ? `the platform says: ${message.receiptStatus}` : null)}
      ${fact('Replay of', link(message.replayOf))}
      ${fact('Replayed as', link(message.replayedAs))}
      ${fact('Key', message.idempotencyKey)}
      ${fact('Thread', message.threadId)}
      ${fact('In reply to', message.replyToId)}
      ${fact('Session', message.sessionId ? html`<a href=${to('conversations', message.sessionId)}>${message.sessionId}</a>` : null)}
      ${fact('Turn', message.turnId ? html`<a href=${to('messages', null, { turnId: message.turnId })}>all it has caused</a>` : null)}
      ${fact('Run', message.runId ? html`<a href=${to('run', message.runId)}>${message.runId}</a>` : null)}
      ${fact('Options', options(message))}
      ${fact('Metadata', names.length ? html`<ul class="bare">${names.map(([name, value]) => html`<li>${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}</li>`)}</ul>` : null)}
      ${fact('Channel data', Object.keys(message.channelData ?? {}).length ? html`<pre>${JSON.stringify(message.channelData, null, 2)}</pre>` : null)}
    </dl>`;
  }

  #partsCard(message) {
    const { data, problem } = this.parts;
    const body = () => {
      if (data) return data.items.length ? repeat(data.items, (part) => part.index, (part) => this.#part(part)) : html`<p class="quiet">It has no parts yet.</p>`;
      if (problem) return html`<p class="quiet">What the platform gets cannot be shown: ${problem.message}</p>`;
      return html`<p class="quiet" role="status">Loading…</p>`;
    };
    return html`<section class="card"><div class="head"><h2>What the platform gets</h2><span class="quiet">${message.parts.length === 1 ? '1 part' : `${message.parts.length} parts`}</span></div>
      <div class="body stack">${body()}</div></section>`;
  }

  #part(part) {
    return html`<div class="stack tight-stack">
      <div class="line"><h3>Part ${part.index + 1}: ${part.kind}</h3>${badge(partState(part, this.message.data))}${part.receipt ? html`<span class="quiet">receipt <code>${part.receipt}</code></span>` : nothing}
        ${part.key ? html`<span class="quiet">key <code>${part.key}</code></span>` : nothing}</div>
      ${part.pieces?.length ? part.pieces.map(piece) : piece(part)}
      ${(part.receipts ?? []).map((receipt) => html`<p class="quiet">The platform says: ${receipt.state}${receipt.at ? html` at ${at(receipt.at)}` : nothing}${receipt.detail ? `: ${receipt.detail}` : ''}</p>`)}
    </div>`;
  }
}

/** A part that nobody has tried when its message has ended is not going to be sent any more. */
const partState = (part, message) => (part.status === 'pending' && message?.endedAt ? 'not sent' : part.status);

const options = (message) => [
  message.silent && 'silent', message.priority === 'bulk' && 'bulk', message.ordering === 'none' && 'outside the order of its chat', message.bestEffort && 'best effort',
  message.expiresIn && `expires after ${lasting(message.expiresIn)}`, message.onUnknown && `if nobody knows whether it arrived: ${message.onUnknown}`,
].filter(Boolean).join(', ');

customElements.define('one-message', OneMessage);
