import { html, nothing } from '/lib/lit-html/lit-html.js';
import { ago, clock, exact, tone } from '../base/words.js';

/** Small things that all pages show. */

/** A state's name in its colour. The word is always there, so nobody depends on the colour. */
export const badge = (word, title = null) => html`<span class="badge ${tone(word)}" title=${title ?? nothing}>${word}</span>`;

/** A moment as a time of day, exactly on hover, at a touch and with the key t. */
export const at = (instant) => (instant ? html`<time datetime=${instant} title=${exact(instant)}>${clock(instant)}</time>` : nothing);

/** A moment by its distance from now, exactly as above. */
export const since = (instant) => (instant ? html`<time datetime=${instant} title=${exact(instant)}>${ago(instant)}</time>` : nothing);

/** What a page shows while there is nothing yet: that it loads, or why it cannot. */
export const pending = (load) => (load.problem
  ? html`<p class="problem" role="alert">${load.problem.message}</p>`
  : html`<p class="empty quiet" role="status">Loading…</p>`);

/** What stands above data that could not be renewed; of several the oldest. */
export function old(...loads) {
  const [first] = loads.filter((load) => load.problem && load.data).sort((one, other) => one.at - other.at);
  return first ? html`<p class="problem" role="alert">${first.problem.message} What you see is from ${at(first.at)}.</p>` : nothing;
}

/** The offer to show what came while somebody was at work in the list. */
export const newer = (list) => (list.newer > 0
  ? html`<button class="newer" @click=${() => list.showNewer()}>Show ${list.newer}${list.newer >= 50 ? ' or more' : ''} newer</button>` : nothing);

/** The button below a list that has more. */
export const more = (list, view) => (list.more ? html`<p class="more"><button @click=${() => view.act(() => list.showMore())}>${list.items?.length === 0 ? 'Look further back' : 'Show more'}</button></p>` : nothing);

/** A term and its value; nothing if there is none. */
export const fact = (name, value) => (value === null || value === undefined || value === '' || value === nothing
  ? nothing : html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
