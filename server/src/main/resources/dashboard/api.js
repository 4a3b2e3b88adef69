// Talks to the server. A token, if one is needed, is asked for once and kept in this tab only.

const KEY = 'postrider-token';
let asking = null;

function headers(more) {
  const token = sessionStorage.getItem(KEY);
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
}

function askForToken() {
  asking ??= new Promise((resolve) => {
    const dialog = document.getElementById('login');
    dialog.addEventListener('close', () => {
      sessionStorage.setItem(KEY, document.getElementById('token').value.trim());
      asking = null;
      resolve();
    }, { once: true });
    dialog.showModal();
  });
  return asking;
}

async function request(path, options = {}) {
  while (true) {
    const response = await fetch(path, { ...options, headers: headers(options.headers) });
    if (response.status !== 401) return response;
    await askForToken();
  }
}

async function answer(response) {
  const text = await response.text();
  const body = text ? JSON.parse(text) : null;
  if (!response.ok && body?.status !== 'degraded') throw new Error(body?.detail ?? response.statusText);
  return body;
}

export const get = async (path) => answer(await request(path));

export const post = async (path, body) => answer(await request(path, {
  method: 'POST',
  ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
}));

export const remove = async (path) => answer(await request(path, { method: 'DELETE' }));

/** Saves a file under a name, by fetch, because a link cannot send a token. */
export async function save(path, name) {
  const response = await request(path);
  if (!response.ok) return answer(response);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A path with its values encoded: path`/v1/messages/${id}`. */
export const path = (texts, ...values) => texts.reduce((all, text, i) => all + encodeURIComponent(values[i - 1]) + text);

/** Follows the events for ever, by fetch, because EventSource cannot send a token. */
export async function follow(onEvent, onState) {
  let lastId = null;
  while (true) {
    try {
      const response = await request('/v1/events', { headers: lastId ? { 'Last-Event-ID': lastId } : {} });
      if (!response.ok) throw new Error(response.statusText);
      onState(true);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        const blocks = (rest + chunk.value).split('\n\n');
        rest = blocks.pop();
        for (const block of blocks) {
          const fields = Object.fromEntries(block.split('\n').filter((line) => line && !line.startsWith(':')).map((line) => line.split(/: ?(.*)/s, 2)));
          lastId = fields.id ?? lastId;
          if (fields.data) onEvent(JSON.parse(fields.data));
        }
      }
    } catch {
      // said by onState below; the next round tries again
    }
    onState(false);
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}
