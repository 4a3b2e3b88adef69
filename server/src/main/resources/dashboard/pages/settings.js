import { View, html } from '../base/view.js';
import { choose, chosen } from '../base/settings.js';
import { exact } from '../base/words.js';

/** What a viewer can choose for this browser. */
class SettingsPage extends View {
  view() {
    const zones = Intl.supportedValuesOf('timeZone');
    const { timeZone, theme, notify } = chosen();
    return html`
      <h1>Time zone and colours</h1>
      <section class="card"><div class="body form">
        <label>Time zone
          <select @change=${(event) => choose({ timeZone: event.target.value || null })}>
            <option value="" ?selected=${!timeZone}>that of this browser (${Intl.DateTimeFormat().resolvedOptions().timeZone})</option>
            <option value="UTC" ?selected=${timeZone === 'UTC'}>UTC</option>
            ${zones.map((zone) => html`<option ?selected=${zone === timeZone}>${zone}</option>`)}
          </select></label>
        <label>Colours
          <select @change=${(event) => choose({ theme: event.target.value })}>
            ${['auto', 'light', 'dark'].map((one) => html`<option value=${one} ?selected=${theme === one}>${one === 'auto' ? 'as the system has them' : one}</option>`)}
          </select></label>
        <label class="check wide"><input type="checkbox" .checked=${notify} @change=${(event) => this.act(() => this.#notify(event.target))}>
          Tell me when a run ends, also while I look at something else</label>
        <p class="quiet wide">Now it is ${exact(new Date().toISOString())}.</p>
      </div></section>`;
  }

  async #notify(box) {
    if (box.checked && (await Notification.requestPermission()) !== 'granted') {
      box.checked = false;
      throw new Error('The browser does not allow this page to notify you. Its settings decide.');
    }
    choose({ notify: box.checked });
  }
}

customElements.define('page-settings', SettingsPage);
