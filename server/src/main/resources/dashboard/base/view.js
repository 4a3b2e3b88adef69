import { ReactiveElement } from '/lib/reactive-element/reactive-element.js';
import { render } from '/lib/lit-html/lit-html.js';

export { html, nothing, svg } from '/lib/lit-html/lit-html.js';
export { repeat } from '/lib/lit-html/directives/repeat.js';
export { live } from '/lib/lit-html/directives/live.js';
export { ref } from '/lib/lit-html/directives/ref.js';

/**
 * An element that shows what its `view()` returns. Only what has changed is touched in the page, so
 * whatever a person points at, types in or has selected stays where it is. It has no shadow: one
 * style sheet is for all.
 */
export class View extends ReactiveElement {
  createRenderRoot() {
    this.replaceChildren(); // what stood here until the scripts had come
    return this;
  }

  update(changed) {
    super.update(changed);
    render(this.view(), this, { host: this });
  }

  #running = new Set();

  /** Whether an action that was begun by `once` is under way. */
  isBusy(key) {
    return this.#running.has(key);
  }

  /** As `act`, but not again before it has ended, however often somebody clicks. */
  async once(key, action) {
    if (this.#running.has(key)) return;
    this.#running.add(key);
    this.requestUpdate();
    await this.act(action);
    this.#running.delete(key);
    this.requestUpdate();
  }

  /** Runs an action of a person's: says what went wrong, and never leaves a button dead. */
  async act(action) {
    try {
      return await action();
    } catch (problem) {
      const { toast } = await import('/assets/parts/toast.js');
      toast(problem.message, { bad: true });
      return undefined;
    }
  }
}
