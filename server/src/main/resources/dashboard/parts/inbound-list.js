import { View, html, nothing, repeat } from '../base/view.js';
import { List } from '../base/list.js';
import { path, post, query } from '../base/api.js';
import { may } from '../base/me.js';
import { refine, to } from '../base/route.js';
import { confirm } from './dialog.js';
import { deadLetterTools, files, isLeaving, replayAll, standing, who } from './inbound.js';
import { more, newer, old, pending, since } from './shown.js';
import { toast } from './toast.js';

const EMPTY = {
  pending: 'Nothing waits to be handled.',
  leased: 'No program has a message to handle at the moment.',
  failed: 'There are no dead letters. Whatever cannot be handled comes here, with its reason.',
};

/** Inbound messages of one state, the newest first; dead letters can be replayed and discarded. */
class InboundList extends View {
  static properties = { state: {}, account: {}, session: {} };

  messages = new List(this, () => query('/v1/inbound', { status: this.state, account: this.account, sessionId: this.session, limit: 50 }), { on: ['inbound.'] });

  view() {
    const items = this.messages.items?.filter((message) => !isLeaving(message));
    return html`
      ${this.session ? html`<p class="line">Of the conversation <strong>${this.session}</strong> only. <button @click=${() => refine({ session: null })}>Of all</button></p>` : nothing}
      ${old(this.messages)}
      ${newer(this.messages)}
      <section class="card">
        ${this.state === 'failed' && may('admin') && items?.some((message) => !message.replayedAs) ? html`<div class="head"><h2>Dead letters</h2>
          <button @click=${() => this.act(() => this.#replayAll())}>Replay all that match</button></div>` : nothing}
        ${!items ? pending(this.messages) : items.length === 0 ? html`<p class="empty">${EMPTY[this.state] ?? 'None.'}</p>` : this.#table(items)}
        ${more(this.messages, this)}
      </section>`;
  }

  async #handled(message) {
    const yes = await confirm({
      title: 'Mark as handled?', action: 'Mark as handled',
      text: html`<p>Your program is not given it, and what waits before it in this conversation neither.</p>`,
    });
    if (!yes) return;
    await post(path`/v1/inbound/${message.id}/ack`);
    toast('It is handled.');
    await this.messages.renew();
  }

  async #replayAll() {
    const filter = { ...(this.account ? { account: this.account } : {}), ...(this.session ? { sessionId: this.session } : {}) };
    await replayAll(filter);
    this.messages.reload();
  }

  #table(items) {
    return html`<div class="scroll"><table class="cards">
      <thead><tr><th>Message</th><th>Conversation</th><th>How it stands</th><th>Came</th>${this.state === 'leased' ? nothing : html`<th><span class="unseen">Actions</span></th>`}</tr></thead>
      <tbody data-rows>${repeat(items, (message) => message.id, (message) => html`<tr data-row>
        <td class="main"><a class="whole" href=${to('conversations', message.sessionId)}>${who(message.sender)}</a>
          <div class="clip text-block">${message.text ?? message.kind}</div>${files(message, this)}</td>
        <td class="name" data-name="Conversation">${message.sessionId}</td>
        <td class="why" data-name="How it stands"><div>${standing(message)}<inbound-history .message=${message.id}></inbound-history></div></td>
        <td class="when" data-name="Came">${since(message.receivedAt)}</td>
        ${this.state === 'failed' ? html`<td class="tools"><div class="line">${deadLetterTools(message, this, () => this.messages.renew())}</div></td>` : nothing}
        ${this.state === 'pending' ? html`<td class="tools">${may('send') ? html`<button ?disabled=${this.isBusy(message.id)} @click=${() => this.once(message.id, () => this.#handled(message))}>Handled…</button>` : nothing}</td>` : nothing}
      </tr>`)}</tbody></table></div>`;
  }
}

customElements.define('inbound-list', InboundList);
