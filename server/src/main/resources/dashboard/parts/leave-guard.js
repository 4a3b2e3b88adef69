import { guardPlace } from '../base/route.js';
import { confirm } from './dialog.js';

/** Asks before a page with unsaved changes is left, by link, by address, by going back or by closing it. */
export class LeaveGuard {
  #dirty;

  /** @param dirty tells whether there is something to lose */
  constructor(host, dirty) {
    this.#dirty = dirty;
    host.addController(this);
  }

  hostConnected() {
    guardPlace(this.#mayLeave);
    addEventListener('beforeunload', this.#onUnload);
  }

  hostDisconnected() {
    guardPlace(null);
    removeEventListener('beforeunload', this.#onUnload);
  }

  #onUnload = (event) => {
    if (this.#dirty()) event.preventDefault();
  };

  #mayLeave = () => !this.#dirty() || confirm({
    title: 'Leave without saving?', text: 'What you have changed here is lost.', action: 'Leave without saving', danger: true,
  });
}
