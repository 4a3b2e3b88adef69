import { View, html, nothing, repeat } from '../base/view.js';
import { path } from '../base/api.js';
import { Load } from '../base/load.js';
import { to } from '../base/route.js';
import { standing, who } from './inbound.js';
import { gist } from './message-rows.js';
import { at, badge, old, pending } from './shown.js';

/** The turn that a message belongs to: what came in, how that stands, and what else was said to it. */
class TurnCard extends View {
  static properties = { turn: { attribute: false }, message: { attribute: false } };

  data = new Load(this, () => (this.turn ? path`/v1/turns/${this.turn}` : null), { on: ['inbound.', 'turn.', 'message.'] });

  view() {
    return html`<section class="card"><div class="head"><h2>What it answers</h2>${this.data.data?.state ? badge(this.data.data.state) : nothing}</div>
      <div class="body stack tight-stack">${old(this.data)}${this.data.data ? this.#turn(this.data.data) : this.data.problem?.status === 404 ? html`<p class="quiet">What it answers is kept no longer.</p>` : pending(this.data)}</div></section>`;
  }

  #turn({ message, messages, endedAt }) {
    const others = messages.filter((one) => one.id !== this.message);
    return html`
      <article class="bubble"><div class="about"><strong>${who(message.sender)}</strong>${at(message.receivedAt)}</div>
        ${message.text ? html`<div class="said">${message.text}</div>` : html`<div class="quiet">${message.kind}</div>`}
        <div class="about">${standing(message)}</div></article>
      ${endedAt ? html`<p class="quiet">The turn ended at ${at(endedAt)}.</p>` : nothing}
      ${others.length > 0 ? html`<h3>Also said in this turn</h3><ul class="bare stack tight-stack">${repeat(others, (one) => one.id, (one) => html`<li>${badge(one.status)} <a href=${to('messages', one.id)}>${gist(one)}</a></li>`)}</ul>` : nothing}
      <p><a href=${to('conversations', message.sessionId)}>The conversation</a></p>`;
  }
}

customElements.define('turn-card', TurnCard);
