/**
 * Moving through lists by keyboard: j and k go from row to row, Enter opens. A row is what has
 * `data-row`; its first link is what opens.
 */
const typing = (element) => element.matches('input, textarea, select, [contenteditable]');

export function moveByKeyboard(root) {
  root.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || !['j', 'k'].includes(event.key)) return;
    const rows = [...document.querySelectorAll('main [data-row]')];
    if (rows.length === 0) return;
    const now = rows.findIndex((row) => row.contains(document.activeElement));
    const next = rows[Math.max(0, Math.min(rows.length - 1, now + (event.key === 'j' ? 1 : -1)))];
    (next.querySelector('a[href], button') ?? next).focus();
    next.scrollIntoView({ block: 'nearest' });
    event.preventDefault();
  });
}
