import { View, html, live, nothing, repeat } from '../base/view.js';
import { Load } from '../base/load.js';
import { whoLooks } from '../base/me.js';
import { refine, to } from '../base/route.js';
import { count } from '../base/words.js';
import { copyable } from '../parts/copy.js';
import { curl, fields, fits, groups, json, sample, typeInWords } from '../parts/openapi.js';
import { pending } from '../parts/shown.js';

const TONES = { GET: 'busy', POST: 'good', PUT: 'warn', DELETE: 'bad' };

/** The API's description, readable. An operation's place in it has an address of its own. */
class ApiPage extends View {
  api = new Load(this, () => '/openapi.json', { every: 3_600_000, then: (api) => ({ document: api, groups: groups(api) }) });

  #open = new Set();
  #wentTo = null;

  view() {
    const { id } = this.place;
    if (id !== this.#wentTo && id) this.#open.add(id);
    return html`
      <div class="title"><h1>API</h1><a class="button" href="/openapi.json" download>openapi.json</a></div>
      ${this.api.data === null ? pending(this.api) : this.#content(this.api.data)}`;
  }

  /** Goes to the operation that the address names, once. */
  updated() {
    const { id } = this.place;
    if (!this.api.data || id === this.#wentTo) return;
    this.#wentTo = id;
    this.querySelector(`[data-key="${CSS.escape(id ?? '')}"]`)?.scrollIntoView({ block: 'start' });
  }

  #content({ document: api, groups: all }) {
    const { q = '' } = this.place.filters;
    const found = all.map((group) => ({ ...group, operations: group.operations.filter((one) => fits(one, q.trim())) })).filter((group) => group.operations.length > 0);
    const amount = found.reduce((sum, group) => sum + group.operations.length, 0);
    return html`
      <p class="prose">${coded(api.info.description)}</p>
      <div class="filters"><input type="search" placeholder="Find a call, such as cancel or /v1/runs" aria-label="Find a call" .value=${live(q)} @input=${(event) => refine({ q: event.target.value })}></div>
      <p class="quiet" role="status">${count(amount, 'call')}${q ? ' found' : ''}</p>
      ${found.length === 0 ? html`<p class="card empty">No call has these words.</p>` : nothing}
      ${repeat(found, (group) => group.name, (group) => html`<section class="card">
        <div class="head"><h2>${group.name[0].toUpperCase() + group.name.slice(1)}</h2><span class="quiet">${group.about}</span></div>
        ${repeat(group.operations, (one) => one.key, (one) => this.#operation(api, one))}
      </section>`)}`;
  }

  #operation(api, operation) {
    const { key, method, path, summary } = operation;
    const open = this.#open.has(key);
    return html`<details class="operation" data-row data-key=${key} .open=${open} @toggle=${(event) => this.#toggled(key, event.target.open)}>
      <summary><span class="method badge ${TONES[method]}">${method}</span> <code>${path}</code> <span class="quiet">${summary}</span></summary>
      ${open ? this.#about(api, operation) : nothing}
    </details>`;
  }

  #toggled(key, open) {
    if (open === this.#open.has(key)) return;
    if (open) this.#open.add(key);
    else this.#open.delete(key);
    this.requestUpdate();
  }

  #about(api, operation) {
    const body = json(operation.requestBody?.content);
    const types = Object.keys(operation.requestBody?.content ?? {});
    return html`<div class="stack">
      <p>${coded(operation.description)} <a href=${to('api', operation.key, this.place.filters)}>Address of this call</a></p>
      ${operation.parameters?.length ? html`<div><h3>Parameters</h3><div class="fields">${operation.parameters.map((one) => html`
        <div><code>${one.name}</code> <span class="quiet">in the ${one.in}; ${typeInWords(api, one.schema)}${one.required ? '; required' : ''}</span><div>${coded(one.description)}</div></div>`)}</div></div>` : nothing}
      ${types.length ? html`<div><h3>Body</h3><p class="quiet">${types.join(' or ')}</p>${body ? tree(fields(api, body)) : nothing}</div>` : nothing}
      <div><h3>Answers</h3>${Object.entries(operation.responses).map(([status, answer]) => this.#answer(api, status, answer))}</div>
      <div><h3>Try it</h3>${copyable(curl(api, operation, location.origin, whoLooks().tokensNeeded), `the command for ${operation.method} ${operation.path}`)}</div>
    </div>`;
  }

  #answer(api, status, given) {
    const answer = given.$ref ? api.components.responses[given.$ref.split('/').pop()] : given;
    const schema = json(answer.content);
    if (Number(status) >= 400 || !schema) return html`<p><code>${status}</code> <span class="quiet">${answer.description}</span></p>`;
    return html`<details><summary><code>${status}</code> <span class="quiet">${answer.description}</span></summary>
      ${tree(fields(api, schema))}
      ${copyable(JSON.stringify(sample(api, schema), null, 2), `an answer with status ${status}`)}</details>`;
  }
}

/** What stands between backticks as code. */
const coded = (text) => (text ?? '').split('`').map((piece, i) => (i % 2 === 1 ? html`<code>${piece}</code>` : piece));

/** Fields with those inside them folded away. */
const tree = (all) => html`<div class="fields">${all.map((field) => html`<div>
  <code>${field.name}</code> <span class="quiet">${field.type}${field.required ? '; required' : ''}</span><div>${coded(field.about)}</div>
  ${field.fields.length ? html`<details><summary class="quiet">${count(field.fields.length, 'field')} inside</summary>${tree(field.fields)}</details>` : nothing}
</div>`)}</div>`;

customElements.define('page-api', ApiPage);
