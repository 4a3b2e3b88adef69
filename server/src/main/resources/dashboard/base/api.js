/** Talks to the server. A token, if one is needed, is kept in this tab only, until it is closed. */

const KEY = 'postrider-token';
const LONGEST = 30_000;
let loggingIn = null;

/** Asks for a token. The shell sets it; it resolves with the token, or null if nobody gave one. */
let askForToken = async () => null;

export function onTokenNeeded(ask) {
  askForToken = ask;
}

export const hasToken = () => sessionStorage.getItem(KEY) !== null;

export function logOut() {
  sessionStorage.removeItem(KEY);
  location.reload();
}

/** A refused request, in the server's words; `errors` names the fields. */
export class Problem extends Error {
  constructor(status, body) {
    super(body?.detail || body?.title || `The server answered with status ${status}.`);
    this.status = status;
    this.errors = body?.errors ?? [];
    this.body = body;
  }
}

/** The server does not answer at all. */
export class Offline extends Error {
  constructor() {
    super('The server does not answer.');
  }
}

function authorized(headers = {}) {
  const token = sessionStorage.getItem(KEY);
  return token ? { ...headers, Authorization: `Bearer ${token}` } : headers;
}

/** Whether a request waits until the person has given a token. */
export const isLoggingIn = () => loggingIn !== null;

/** Everybody who needs a token meanwhile waits for the one dialog. */
async function logIn(wrong) {
  loggingIn ??= askForToken(wrong).finally(() => { loggingIn = null; });
  const token = await loggingIn;
  if (token !== null) sessionStorage.setItem(KEY, token);
}

/** A fetch that knows the token; asks for one as long as the server wants another. */
export async function request(path, options = {}) {
  for (;;) {
    const sent = sessionStorage.getItem(KEY);
    let response;
    try {
      response = await fetch(path, { ...options, headers: authorized(options.headers) });
    } catch (failure) {
      if (failure.name === 'AbortError' || failure.name === 'TimeoutError') throw failure;
      throw new Offline();
    }
    if (response.status !== 401) return response;
    if (sent === sessionStorage.getItem(KEY)) {
      await logIn(sent === null ? null : 'The server does not know this token.');
    }
  }
}

async function answer(response) {
  const text = await response.text();
  let body = null;
  try {
    body = text ? JSON.parse(text) : null;
  } catch {
    throw new Problem(response.status, { detail: 'The answer is not from Postrider. Is a proxy in between?' });
  }
  if (!response.ok) throw new Problem(response.status, body);
  return body;
}

async function call(method, path, body, options = {}) {
  try {
    return await answer(await request(path, {
      method,
      keepalive: method === 'DELETE' || options.keepalive, // also if the page is being left
      signal: options.signal ?? AbortSignal.timeout(LONGEST),
      ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    }));
  } catch (failure) {
    throw failure.name === 'TimeoutError' ? new Offline() : failure;
  }
}

export const get = (path, options) => call('GET', path, undefined, options);
export const post = (path, body, options) => call('POST', path, body, options);
export const put = (path, body, options) => call('PUT', path, body, options);
export const remove = (path, options) => call('DELETE', path, undefined, options);

/** Uploads a file as it is. */
export const upload = async (path, file) => answer(await request(path, {
  method: 'POST', headers: { 'Content-Type': file.type || 'application/octet-stream' }, body: file,
}));

/** Saves an answer as a file, by fetch, because a link cannot send a token. */
export async function save(path, name) {
  const response = await request(path);
  if (!response.ok) return answer(response);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return undefined;
}

/** A path with its values encoded: path`/v1/messages/${id}`. */
export const path = (texts, ...values) => texts.reduce((all, text, i) => all + encodeURIComponent(values[i - 1]) + text);

/** A path with a query of what is not empty: query('/v1/messages', {status: 'queued', to: ''}). */
export function query(base, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length === 0 ? base : `${base}?${new URLSearchParams(given)}`;
}
