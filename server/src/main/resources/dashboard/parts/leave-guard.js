import { confirm } from './dialog.js';

/**
 * Asks before a page with unsaved changes is left, by link, by address or by going back. It hears of
 * a new address before the frame of the pages does, and puts the old one back while it asks.
 */
export class LeaveGuard {
  #dirty;
  #going = false;

  /** @param dirty tells whether there is something to lose */
  constructor(host, dirty) {
    this.#dirty = dirty;
    host.addController(this);
  }

  hostConnected() {
    addEventListener('hashchange', this.#onPlace, true);
    addEventListener('beforeunload', this.#onUnload);
  }

  hostDisconnected() {
    removeEventListener('hashchange', this.#onPlace, true);
    removeEventListener('beforeunload', this.#onUnload);
  }

  #onUnload = (event) => {
    if (this.#dirty()) event.preventDefault();
  };

  #onPlace = async (event) => {
    if (this.#going || !event.oldURL || !this.#dirty()) return;
    event.stopImmediatePropagation();
    history.pushState(null, '', event.oldURL);
    const leave = await confirm({ title: 'Leave without saving?', text: 'What you have changed here is lost.', action: 'Leave without saving', danger: true });
    if (!leave) return;
    this.#going = true;
    location.hash = new URL(event.newURL).hash;
  };
}
