/** What the viewer has chosen for this browser: time zone and colours. */
const KEY = 'postrider-settings';
const DEFAULTS = { timeZone: null, theme: 'auto', notify: false };

let settings = DEFAULTS;
try {
  settings = { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
} catch {
  // Unreadable, so the defaults hold.
}

export const chosen = () => settings;

export function choose(changes) {
  settings = { ...settings, ...changes };
  localStorage.setItem(KEY, JSON.stringify(settings));
  applyTheme();
  dispatchEvent(new Event('settings'));
}

export function applyTheme() {
  if (settings.theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
}
