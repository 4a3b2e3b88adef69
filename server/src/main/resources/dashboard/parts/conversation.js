import { View, html, live, nothing, repeat } from '../base/view.js';
import { path, post } from '../base/api.js';
import { Outbox, Unanswered } from '../base/draft.js';
import { Kept } from '../base/kept.js';
import { Load } from '../base/load.js';
import { may } from '../base/me.js';
import { to } from '../base/route.js';
import { count, tone } from '../base/words.js';
import { stateOf } from './account.js';
import { ChatEntries } from './chat-entries.js';
import { confirm } from './dialog.js';
import { deadLetterTools, files, standing, who } from './inbound.js';
import { at, badge, old, pending } from './shown.js';
import { toast } from './toast.js';
import { waits } from './waits.js';

/** What somebody has begun to write and not sent, by conversation; it outlives a look elsewhere. */
const kept = new Kept('answers', {});
const draftOf = (session) => kept.get()[session] ?? '';
const keep = (session, text) => kept.set(Object.fromEntries(Object.entries({ ...kept.get(), [session]: text }).filter(([, begun]) => begun !== '')));

/** A conversation as a chat: what was heard and said, how each stands, and a place to answer. */
class ConversationView extends View {
  static properties = { session: {}, accounts: { attribute: false }, sending: { state: true } };

  state = new Load(this, () => (this.session ? path`/v1/sessions/${this.session}` : null), { on: ['inbound.', 'session.'] });
  entries = new ChatEntries(this, () => this.session);

  #atEnd = true;
  #seen = null;
  #outbox = new Outbox();
  #unsure = null;

  view() {
    const session = this.state.data;
    if (!session && this.state.problem) return html`<h1>${this.session}</h1><p><a href="#/conversations">← All conversations</a></p>${pending(this.state)}`;
    return html`
      <div class="title"><h1>${this.session}</h1>${session?.paused ? badge('paused') : nothing}${session && session.waiting > 0 ? html`<span class="badge warn">${count(session.waiting, 'message')} not handled</span>` : nothing}
        ${session && may('admin') ? this.#handing(session) : nothing}</div>
      <p class="line"><a href="#/conversations">← All conversations</a>${session ? this.#about(session) : nothing}</p>
      ${old(this.state, this.entries.history, this.entries.messages)}
      ${session?.paused ? html`<p class="note" role="status">Handed out to nobody since ${at(session.pausedSince)}${session.pauseReason ? `: ${session.pauseReason}` : ''}. Answer below, or mark as handled what needs no answer; what people write waits here.</p>` : nothing}
      ${session?.movedTo ? html`<p class="note">This chat has moved: it goes on as ${session.movedTo}, and answers go there.</p>` : nothing}
      <section class="card conversation" aria-label="What was heard and said">
        <div class="body chat" tabindex="0" @scroll=${(event) => this.#scrolled(event.target)}>${this.#entries()}</div>
        ${session && may('send') ? this.#answer(session) : nothing}
      </section>`;
  }

  #about(session) {
    const account = this.accounts?.find((one) => one.id === session.account);
    const troubled = account && account.health !== 'ready';
    return html`<span class="quiet">chat ${session.chat}${session.threadId ? `, thread ${session.threadId},` : ''} on <a href=${to('accounts', session.account)}>${session.account}</a>${troubled ? html` ${badge(stateOf(account))} ${account.reason ?? waits(account.waitingFor)}` : nothing}</span>`;
  }

  // ---- who answers

  #handing(session) {
    return session.paused
      ? html`<button class="primary" @click=${() => this.act(() => this.#handBack(session))}>Hand back</button>`
      : html`<button @click=${() => this.act(() => this.#takeOver(session))}>Take over</button>`;
  }

  async #takeOver(session) {
    const yes = await confirm({
      title: `Take over ${session.id}?`,
      text: html`<p>Nothing of this conversation is handed to your program until you hand it back. ${session.waiting > 0 ? `${count(session.waiting, 'message')} of it ${session.waiting === 1 ? 'waits' : 'wait'} meanwhile.` : ''}</p>
        <p>If a program has a message of it at this moment, its answer may still come.</p>`,
      action: 'Take over this conversation',
    });
    if (!yes) return;
    await post('/v1/sessions/pause', { id: session.id, reason: 'a person answers' });
    toast('It is yours. Nothing of it is handed out until you hand it back.');
    this.state.reload();
  }

  async #handBack(session) {
    const yes = session.waiting === 0 || await confirm({
      title: `Hand back ${session.id}?`,
      text: html`<p>${count(session.waiting, 'message')} that nobody has answered will be handed to your program. What you have answered here, or marked as handled, will not.</p>`,
      action: `Hand back with ${count(session.waiting, 'message')}`,
    });
    if (!yes) return;
    await post('/v1/sessions/resume', { id: session.id });
    toast('The conversation is handed out again.');
    this.state.reload();
  }

  // ---- the chat

  #entries() {
    if (!this.entries.loaded) return pending(this.entries);
    const all = this.entries.all;
    return html`
      ${this.entries.more ? html`<p class="more"><button @click=${(event) => this.act(() => this.#older(event.target))}>Show older</button></p>` : nothing}
      ${all.length === 0 ? html`<p class="empty">Nothing was said here that is still kept.</p>` : nothing}
      ${repeat(all, (entry) => entry.key, (entry) => (entry.heard ? this.#heard(entry.heard) : this.#said(entry)))}`;
  }

  #heard(message) {
    const open = message.status !== 'handled' || message.turn === 'failed';
    return html`<article class="bubble ${message.status === 'failed' && !message.replayedAs ? 'failed' : ''}">
      <div class="about"><strong>${who(message.sender)}</strong>${at(message.receivedAt)}${message.kind === 'message' ? nothing : html`<span>${message.kind}</span>`}</div>
      ${message.text ? html`<div class="said">${message.text}</div>` : nothing}
      ${files(message, this)}
      <div class="about">${open ? badge(message.status) : nothing}<span>${standing(message)}</span></div>
      ${message.attempts > 1 || message.error || open ? html`<inbound-history .message=${message.id}></inbound-history>` : nothing}
      <div class="line">${deadLetterTools(message, this, () => this.entries.reload())}</div>
    </article>`;
  }

  #said({ said, message }) {
    const text = said?.text ?? message?.text;
    const status = message?.status ?? 'delivered';
    const media = (said ?? message).media ?? [];
    const kind = (said ?? message).dispatchKind;
    return html`<article class="bubble ours ${tone(status) === 'bad' ? 'failed' : ''}">
      ${text ? html`<div class="said">${text}</div>` : nothing}
      ${media.map((file) => html`<div class="quiet">${file.kind ?? 'file'}: ${file.filename ?? file.url ?? file.id}</div>`)}
      <div class="about"><a href=${to('messages', message?.id ?? said.messageId)}>${badge(message?.receiptStatus ?? status)}</a>${at(message?.createdAt ?? said.at)}
        ${kind && kind !== 'final' ? html`<span>${kind}</span>` : nothing}${message?.attempts > 1 ? html`<span>${count(message.attempts, 'attempt')}</span>` : nothing}</div>
      ${message?.waitingFor ? html`<div class="about">${waits(message.waitingFor)}</div>` : nothing}
      ${message?.error && status !== 'delivered' ? html`<div class="about">${message.error}</div>` : nothing}
    </article>`;
  }

  async #older(button) {
    const chat = button.closest('.chat');
    const below = chat.scrollHeight - chat.scrollTop;
    await this.entries.showOlder();
    await this.updateComplete;
    chat.scrollTop = chat.scrollHeight - below;
  }

  #scrolled(chat) {
    this.#atEnd = chat.scrollHeight - chat.scrollTop - chat.clientHeight < 40;
  }

  updated() {
    if (this.#seen !== this.session) this.#atEnd = true;
    const chat = this.querySelector('.chat');
    if (!chat || !this.entries.loaded) return;
    this.#seen = this.session;
    const selecting = !getSelection().isCollapsed && chat.contains(getSelection().anchorNode);
    if (this.#atEnd && !selecting) requestAnimationFrame(() => { chat.scrollTop = chat.scrollHeight; });
  }

  // ---- answering

  /** What waits for an answer, the oldest first; none while a program has a message of it. */
  #waiting() {
    const heard = this.entries.all.filter((entry) => entry.heard).map((entry) => entry.heard);
    return heard.some((message) => message.status === 'leased') ? [] : heard.filter((message) => message.status === 'pending');
  }

  #answer(session) {
    const waiting = this.#waiting();
    const written = draftOf(session.id).trim();
    return html`<form class="answer" @submit=${(event) => this.#send(event, session, waiting.at(-1))}>
      <label>Answer as ${session.account} <textarea name="text" rows="2" .value=${live(draftOf(session.id))}
        @input=${(event) => { keep(session.id, event.target.value); this.requestUpdate(); }}
        @keydown=${(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.target.form.requestSubmit(); }}></textarea></label>
      <div class="line"><button class="primary" ?disabled=${this.sending || !written}>Send</button>
        ${waiting.length > 0 ? html`<button type="button" ?disabled=${this.sending} @click=${() => this.act(() => this.#handled(waiting))}>Mark ${count(waiting.length, 'message')} as handled</button>` : nothing}
        <span class="quiet">Markdown. Ctrl+Enter sends. ${waiting.length > 0 ? `With your answer ${waiting.length === 1 ? 'the message that waits is' : `the ${waiting.length} messages that wait are`} handled.`
    : session.paused ? '' : 'Your program answers too, unless you take over.'}</span></div>
    </form>`;
  }

  async #handled(waiting) {
    await post(path`/v1/inbound/${waiting.at(-1).id}/ack`);
    toast(waiting.length === 1 ? 'It is handled.' : `${waiting.length} messages are handled.`);
    await Promise.all([this.entries.reload(), this.state.reload()]);
  }

  /**
   * Answers what waits, so that it is handled with that; or just says something. What is sent again
   * since nobody knows whether it was taken answers what it answered before.
   */
  async #send(event, session, last) {
    event.preventDefault();
    const text = draftOf(session.id).trim();
    if (!text || this.sending) return;
    const to = this.#unsure?.text === text ? this.#unsure.to : last?.id;
    this.sending = true;
    await this.act(async () => {
      try {
        await this.#outbox.send({ text, session: session.id }, (idempotencyKey) => (to
          ? post(path`/v1/inbound/${to}/ack`, { replies: [{ text, replyToId: '', idempotencyKey }] })
          : post('/v1/messages', { account: session.account, to: session.chat, text, sessionId: session.id, ...(session.threadId ? { threadId: session.threadId } : {}), idempotencyKey })));
        this.#unsure = null;
        keep(session.id, '');
        this.#atEnd = true;
      } catch (problem) {
        this.#unsure = problem instanceof Unanswered ? { text, to } : null;
        throw problem;
      } finally {
        await Promise.all([this.entries.reload(), this.state.reload()]);
      }
    });
    this.sending = false;
  }
}

customElements.define('conversation-view', ConversationView);
