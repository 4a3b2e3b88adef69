/**
 * Where the person is: the page, its id and its filters, all in the address, so that it can be
 * shared, kept and gone back to: #/messages?status=queued, #/messages/0199….
 */
export function route() {
  const [place, rest = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [page, ...ids] = place.split('/').map(decodeURIComponent);
  return { page: page || 'overview', id: ids.join('/') || null, filters: Object.fromEntries(new URLSearchParams(rest)) };
}

/** The address of a place: to('messages', null, {status: 'queued'}), to('messages', id). */
export function to(page, id = null, filters = {}) {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return `#/${page}${id === null ? '' : `/${encodeURIComponent(id)}`}${given.length ? `?${new URLSearchParams(given)}` : ''}`;
}

export const go = (...place) => { location.hash = to(...place); };

/** Changes filters of the current place without a new entry in the history. */
export function refine(filters) {
  const { page, id, filters: before } = route();
  history.replaceState(null, '', to(page, id, { ...before, ...filters }));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

let mayLeave = null;

/** Asks `ask` before the current page gives way to another place; null: nobody. */
export const guardPlace = (ask) => { mayLeave = ask; };

/**
 * Tells `show` of every new place, unless the page that is there does not want to be left: its
 * address stays then, and the new one is gone to when it agrees.
 */
export function onPlace(show) {
  addEventListener('hashchange', async ({ oldURL, newURL }) => {
    const agreed = !oldURL || !mayLeave || mayLeave();
    if (agreed !== true) {
      history.pushState(null, '', oldURL);
      if (!(await agreed)) return;
      history.replaceState(null, '', newURL);
    }
    show(route());
  });
}
