import { get, path, query } from './api.js';
import { to } from './route.js';
import { count } from './words.js';

/** Where the search of the header looks, one after the other, until something is found. */
const PLACES = [
  { name: 'key', filter: (text) => ({ idempotencyKey: text }), found: (amount) => `${amount} with this key` },
  { name: 'chat', filter: (text) => ({ to: text }), found: (amount) => `${amount} to this chat` },
  { name: 'text', filter: (text) => ({ text }), found: (amount) => `${amount} with this in the text` },
];

async function byId(text) {
  if (!/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text)) return null;
  try {
    return await get(path`/v1/messages/${text.toLowerCase()}`);
  } catch (problem) {
    if (problem.status === 404 || problem.status === 400) return null;
    throw problem;
  }
}

/**
 * Looks for a message by its id, then its key, then its chat, then its text. Resolves with `id`, or
 * with the `filter` that found something and a sentence about what was found where.
 */
export async function find(text) {
  const message = await byId(text);
  if (message) return { id: message.id };
  const nothingIn = ['id'];
  for (const place of PLACES) {
    const filter = place.filter(text);
    const page = await get(query('/v1/messages', { ...filter, limit: 50 }));
    if (page.items.length > 0) {
      const amount = `${count(page.items.length, 'message')}${page.next ? ' or more' : ''}`;
      return { filter, place: place.name, said: `${place.found(amount)}; none with this ${nothingIn.join(' or ')}.`, others: PLACES.filter((other) => other !== place && !nothingIn.includes(other.name)) };
    }
    if (place.name === 'text') {
      const said = page.next ? 'No message has this id or key, or goes to this chat. Texts are being looked through, the newest first.' : 'No message has this id or key, goes to this chat, or has it in its text.';
      return { filter, place: 'text', said, others: [] };
    }
    nothingIn.push(place.name);
  }
  return null;
}

/** The list of what a place of the search finds. */
export const listOf = (place, text) => to('messages', null, place.filter(text));
