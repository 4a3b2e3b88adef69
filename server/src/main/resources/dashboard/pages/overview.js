import { View, html } from '../base/view.js';
class OverviewPage extends View { view() { return html`<h1>Overview</h1>`; } }
customElements.define('page-overview', OverviewPage);
