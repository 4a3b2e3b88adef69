import { View, html } from '../base/view.js';
import '../parts/message-list.js';
import '../parts/message-page.js';

/** All messages, or one of them. */
class MessagesPage extends View {
  view() {
    const { id } = this.place;
    return id
      ? html`<one-message .messageId=${id}></one-message>`
      : html`<message-list .place=${this.place} .stats=${this.stats}></message-list>`;
  }
}

customElements.define('page-messages', MessagesPage);
