import { Problem } from './api.js';

/** What a person writes before it is sent: it outlives the page, and nothing of it is sent twice. */

/** A name that nobody else gives; browsers have `randomUUID` on secure pages only. */
const newKey = () => `dashboard-${Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** Whether the server has said that it did not take it; if not, nobody knows. */
const isRefused = (problem) => problem instanceof Problem && problem.status >= 400 && problem.status < 500;

/** That nobody knows whether it was taken. */
export class Unanswered extends Error {
  constructor(problem) {
    super(`${problem.message} Nobody knows whether this was accepted. Press Send again: the same is not taken twice; what you change is another message.`);
  }
}

/**
 * Sends what was written, by `send`, which is given a key: the same key as long as it is the same
 * that is sent, so that it can be sent again when nobody knows whether it was taken.
 */
export class Outbox {
  #sent = null;
  #key = null;

  async send(content, send) {
    const written = JSON.stringify(content);
    if (written !== this.#sent) {
      this.#sent = written;
      this.#key = newKey();
    }
    try {
      const answer = await send(this.#key);
      this.#sent = null;
      return answer;
    } catch (problem) {
      if (!isRefused(problem)) throw new Unanswered(problem);
      this.#sent = null;
      throw problem;
    }
  }
}
