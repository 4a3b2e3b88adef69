import { View, html, repeat } from '../base/view.js';
import { query } from '../base/api.js';
import { Load } from '../base/load.js';
import { refine } from '../base/route.js';
import './chart.js';
import { old, pending } from './shown.js';

const MINUTE = 60_000;
const RANGES = {
  '1h': { words: '1 hour', long: 60, step: 1 },
  '24h': { words: '24 hours', long: 24 * 60, step: 10 },
  '30d': { words: '30 days', long: 30 * 24 * 60, step: 360 },
};
const FLOW = [{ name: 'accepted', color: 'accent' }, { name: 'delivered', color: 'good' }, { name: 'failed attempts', color: 'warn' }, { name: 'ended undelivered', color: 'bad' }];
const DEPTH = [{ name: 'waiting', color: 'accent' }];

/** How it went: what came, what arrived, what failed and what was given up, a minute; and how many waited. */
class PastCharts extends View {
  static properties = { place: { attribute: false }, stats: { attribute: false }, rates: { attribute: false } };

  past = new Load(this, () => (this.place ? query('/v1/stats/history', { since: this.#range(), step: `${RANGES[this.#range()].step}m` }) : null), { every: 30_000 });

  #range() {
    return RANGES[this.place.filters.range] ? this.place.filters.range : '1h';
  }

  view() {
    const range = this.#range();
    return html`<section class="card">
      <div class="head"><h2>How it went</h2><div class="tabs" role="group" aria-label="How far back">
        ${Object.entries(RANGES).map(([name, { words }]) => html`<button aria-pressed=${name === range ? 'true' : 'false'} @click=${() => refine({ range: name === '1h' ? '' : name })}>${words}</button>`)}</div></div>
      ${old(this.past)}
      <div class="body">${this.past.data ? this.#charts(range) : pending(this.past)}</div></section>`;
  }

  #charts(range) {
    const rows = this.#rows(range);
    const perMinute = this.rates ? [this.rates.accepted, this.rates.delivered, this.rates.errors, this.rates.undelivered].map((rate) => Math.round(rate * 60)) : null;
    const now = this.stats?.at;
    const flow = rows.map(({ at, minutes, values }) => ({ at, values: values && [values.accepted, values.delivered, values.errors, values.undelivered].map((amount) => Math.round(amount / minutes)) }));
    const depth = rows.map(({ at, values }) => ({ at, values: values && [values.queued] }));
    if (now && perMinute) flow.push({ at: now, values: perMinute });
    if (now) depth.push({ at: now, values: [this.stats.queued] });
    const charts = [
      { name: 'flow', title: 'Messages a minute', points: flow, series: FLOW },
      { name: 'depth', title: 'Messages that wait', points: depth, series: DEPTH },
    ];
    return html`<div class="stack">${repeat(charts, (chart) => `${chart.name} ${range}`, (chart) => html`<figure>
      <figcaption><h3>${chart.title}</h3></figcaption>
      <time-chart .points=${chart.points.map(({ at, values }) => ({ at, values: values ?? chart.series.map(() => null) }))} .series=${chart.series} .label=${`${chart.title}, the last ${RANGES[range].words}`}></time-chart></figure>`)}</div>`;
  }

  /** One row a step, also where nothing was noted, so that the axis is true; up to the last that was. */
  #rows(range) {
    const { long, step } = RANGES[range];
    const width = step * MINUTE;
    const known = new Map(this.past.data.items.map((row) => [Math.floor(Date.parse(row.at) / width), row.outbound]));
    const now = this.past.at?.getTime() ?? Date.now();
    const last = Math.floor(now / width);
    const rows = [];
    for (let at = last - Math.floor(long / step); at <= last; at += 1) {
      const minutes = Math.max(1, Math.min(step, (now - at * width) / MINUTE));
      rows.push({ at: new Date(at * width).toISOString(), minutes, values: known.get(at) ?? null });
    }
    for (let i = 0; i < 2 && rows.at(-1)?.values === null; i += 1) rows.pop();
    return rows;
  }
}

customElements.define('past-charts', PastCharts);
