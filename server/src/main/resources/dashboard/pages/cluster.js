import { View, html, nothing, repeat } from '../base/view.js';
import { Load } from '../base/load.js';
import { to } from '../base/route.js';
import { count } from '../base/words.js';
import { at, badge, old, pending, since } from '../parts/shown.js';

/** The nodes that share the store: who lives, who works what, what changed hands. */
class ClusterPage extends View {
  cluster = new Load(this, () => '/v1/cluster', { on: ['account.', 'cluster.'], every: 3000 });

  view() {
    const cluster = this.cluster.data;
    return html`
      <div class="title"><h1>Cluster</h1></div>
      ${cluster === null ? pending(this.cluster) : html`${old(this.cluster)}${this.#summary(cluster)}${this.#nodes(cluster)}${this.#accounts(cluster)}${this.#takeovers(cluster)}`}`;
  }

  #summary({ shared, nodes, accounts }) {
    if (!shared) {
      return html`<p class="sentence">This is the only node: it has its store, a SQLite file, for itself.</p>
        <p class="quiet">If it stops, messages wait in the store until it is started again; nobody takes over. For several nodes give each the same PostgreSQL store.</p>`;
    }
    const silent = nodes.filter((node) => !node.alive);
    const orphans = accounts.filter((account) => account.node === null);
    const versions = [...new Set(nodes.filter((node) => node.alive).map((node) => node.version ?? 'an earlier one'))].sort();
    return html`<p class="sentence ${silent.length > 0 || orphans.length > 0 ? 'bad' : ''}">${count(nodes.length - silent.length, 'node')} of ${nodes.length} ${nodes.length - silent.length === 1 ? 'gives' : 'give'} signs of life${orphans.length === 0
      ? ', and every account has its node.' : html`; ${count(orphans.length, 'account')} ${orphans.length === 1 ? 'has' : 'have'} no node now and ${orphans.length === 1 ? 'is' : 'are'} shared out by itself within seconds.`}</p>
      ${silent.length > 0 ? html`<p>${silent.map((node) => node.name).join(', ')} ${silent.length === 1 ? 'has' : 'have'} fallen silent. The others take over what was theirs once the lease is over; nothing is lost. Start it again, or see in its log why it ended.</p>` : nothing}
      ${versions.length > 1 ? html`<p>Versions ${versions.join(' and ')} work side by side: an upgrade is under way.</p>` : nothing}`;
  }

  #nodes({ nodes, node: answering, home }) {
    return html`<section class="card"><div class="head"><h2>Nodes</h2></div><div class="scroll"><table class="cards">
      <thead><tr><th>Node</th><th>State</th><th>Sign of life</th><th>Started</th><th>Version</th><th>Address</th><th>Accounts</th></tr></thead>
      <tbody data-rows>${repeat(nodes, (node) => node.name, (node) => html`<tr data-row>
        <td data-name="Node"><div><b>${node.name}</b>${[node.name === answering ? 'answers you' : null, node.name === home ? 'does what must happen once: expiry, pruning' : null].filter(Boolean).map((text) => html`<div class="quiet">${text}</div>`)}</div></td>
        <td data-name="State">${badge(node.alive ? 'alive' : 'gone')}</td>
        <td class="when" data-name="Sign of life">${since(node.seenAt)}</td>
        <td class="when" data-name="Started">${at(node.startedAt)}</td>
        <td data-name="Version">${node.version ?? html`<span class="quiet">does not say</span>`}</td>
        <td data-name="Address">${node.address ?? html`<span class="quiet">none given</span>`}</td>
        <td data-name="Accounts"><details><summary>${count(node.accounts.length, 'account')}</summary>${node.accounts.map((id) => html`<div><a href=${to('accounts', id)}>${id}</a></div>`)}</details></td>
      </tr>`)}</tbody></table></div></section>`;
  }

  #accounts({ accounts, shared }) {
    return html`<section class="card"><div class="head"><h2>Who works what</h2></div>
      ${accounts.length === 0 ? html`<p class="empty">No account is configured.</p>` : html`<div class="scroll"><table class="cards">
      <thead><tr><th>Account</th><th>Node</th><th>Since</th>${shared ? html`<th class="num">Fence</th>` : nothing}</tr></thead>
      <tbody data-rows>${repeat(accounts, (account) => account.id, (account) => html`<tr data-row>
        <td data-name="Account"><a class="whole" href=${to('accounts', account.id)}>${account.id}</a></td>
        <td data-name="Node">${account.node ?? html`<span class="badge bad">nobody</span>`}</td>
        <td class="when" data-name="Since">${at(account.since)}</td>
        ${shared ? html`<td class="num" data-name="Fence">${account.fence}</td>` : nothing}
      </tr>`)}</tbody></table></div>`}</section>`;
  }

  #takeovers({ shared, takeovers }) {
    if (!shared) return nothing;
    return html`<section class="card"><div class="head"><h2>Takeovers</h2></div>
      ${takeovers.length === 0 ? html`<p class="empty">No account has changed hands.</p>` : html`<div class="scroll"><table class="cards">
      <thead><tr><th>When</th><th>Account</th><th>From</th><th>To</th><th>Why</th><th>Nobody worked it for</th></tr></thead>
      <tbody data-rows>${repeat(takeovers, (one) => `${one.at} ${one.account}`, (one) => html`<tr data-row>
        <td class="when" data-name="When">${at(one.at)}</td>
        <td data-name="Account"><a class="whole" href=${to('accounts', one.account)}>${one.account}</a></td>
        <td data-name="From">${one.from ?? html`<span class="quiet">nobody</span>`}</td>
        <td data-name="To">${one.to}</td>
        <td data-name="Why">${one.why ?? (one.died ? 'its node fell silent' : 'its node let it go')}</td>
        <td data-name="Gap">${one.gap}</td>
      </tr>`)}</tbody></table></div>`}</section>`;
  }
}

customElements.define('page-cluster', ClusterPage);
