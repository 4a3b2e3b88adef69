import { html } from '/lib/lit-html/lit-html.js';
import { dialog } from './dialog.js';

const KEYS = [
  ['/', 'Go to the search'],
  ['j, k', 'Go to the next or the previous row'],
  ['Enter', 'Open the row'],
  ['t', 'Show all times exactly, or no more'],
  ['Esc', 'Close a dialog'],
  ['?', 'Show this'],
];

export const showKeys = () => dialog(({ close }) => html`
  <h2>Keys</h2>
  <dl class="facts">${KEYS.map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>
  <menu><button class="primary" @click=${() => close()}>Close</button></menu>`, { label: 'Keys' });
