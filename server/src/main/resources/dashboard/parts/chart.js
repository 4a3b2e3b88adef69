import { View, html } from '../base/view.js';
import { clock, number } from '../base/words.js';

let library = null;

/** The library is large, so only pages with charts load it; what could not be loaded is asked for again. */
function chartLibrary() {
  library ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: '/lib/chart.js/dist/chart.umd.js', onload: () => resolve(globalThis.Chart), onerror: reject });
    document.head.append(script);
  }).catch(() => { library = null; });
  return library;
}

/**
 * Lines over time. `points`: [{at, values: [..]}], oldest first; `series`: [{name, color}] where the
 * color is the name of a custom property; `label`: what a screen reader says.
 */
class TimeChart extends View {
  static properties = { points: { attribute: false }, series: { attribute: false }, label: {} };

  #chart = null;
  #themes = matchMedia('(prefers-color-scheme: dark)');

  connectedCallback() {
    super.connectedCallback();
    this.#themes.addEventListener('change', this.#repaint);
    addEventListener('settings', this.#repaint);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#themes.removeEventListener('change', this.#repaint);
    removeEventListener('settings', this.#repaint);
    this.#chart?.destroy();
    this.#chart = null;
  }

  #repaint = () => {
    this.#chart?.destroy();
    this.#chart = null;
    this.requestUpdate();
  };

  view() {
    const last = this.points?.at(-1);
    const now = last ? this.series.map((one, i) => `${one.name} ${number(last.values[i])}`).join(', ') : 'nothing yet';
    return html`
      <div class="legend" aria-hidden="true">${this.series?.map((one) => html`<span class="key ${one.color}">${one.name}</span>`)}</div>
      <div class="canvas"><canvas role="img" aria-label="${this.label}; at the end ${now}"></canvas></div>`;
  }

  async updated() {
    if (!this.points) return;
    const Chart = await chartLibrary();
    if (!Chart || !this.isConnected) return;
    const style = getComputedStyle(this);
    const color = (name) => style.getPropertyValue(`--${name}`).trim();
    const labels = this.points.map((point) => point.at);
    const datasets = this.series.map((one, i) => ({
      label: one.name, data: this.points.map((point) => point.values[i]), borderColor: color(one.color), backgroundColor: color(one.color),
      borderWidth: 1.5, pointRadius: 0, pointHitRadius: 8, tension: 0,
    }));
    if (this.#chart) {
      this.#chart.data.labels = labels;
      datasets.forEach((dataset, i) => { this.#chart.data.datasets[i].data = dataset.data; });
      this.#chart.update('none');
      return;
    }
    const days = labels.length > 1 && Date.parse(labels.at(-1)) - Date.parse(labels[0]) > 26 * 3_600_000;
    const ink = { color: color('quiet'), font: { family: style.fontFamily, size: Math.round(parseFloat(getComputedStyle(document.documentElement).fontSize) * 0.75) } };
    this.#chart = new Chart(this.querySelector('canvas'), {
      type: 'line',
      data: { labels, datasets },
      options: {
        animation: false, responsive: true, maintainAspectRatio: false, interaction: { mode: 'index', intersect: false },
        plugins: { legend: { display: false }, tooltip: { callbacks: { title: ([item]) => clock(labels[item.dataIndex], { seconds: false }) } } },
        scales: {
          x: { grid: { display: false }, ticks: { ...ink, maxRotation: 0, autoSkip: true, maxTicksLimit: 7, callback: (_, i) => (days ? clock(this.points[i]?.at, { seconds: false }) : clock(this.points[i]?.at, { seconds: false }).split(', ').at(-1)) } },
          y: { beginAtZero: true, grid: { color: color('line') }, border: { display: false }, ticks: { ...ink, precision: 0, maxTicksLimit: 5, callback: (value) => Number(value).toLocaleString('en', { notation: 'compact' }) } },
        },
      },
    });
  }
}

customElements.define('time-chart', TimeChart);
