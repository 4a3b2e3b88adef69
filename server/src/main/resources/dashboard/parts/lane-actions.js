import { html } from '../base/view.js';
import { get, post, query } from '../base/api.js';
import { count, number } from '../base/words.js';
import { bulk } from './bulk.js';
import { confirm } from './dialog.js';
import { askWhy } from './message-actions.js';
import { toast } from './toast.js';

/** What a person can do with many lanes at once. Each asks with the number and says what came of it. */

/** Most lanes that one click works on; who has more of them works on the account. */
const MOST = 5000;
const STEP = 500;

const nameOf = ({ account, to }) => ({ account, to });
const inSteps = (all) => Array.from({ length: Math.ceil(all.length / STEP) }, (_, i) => all.slice(i * STEP, (i + 1) * STEP));

/** All lanes that the filters of GET /v1/lanes find and that `fits` takes. */
export async function allLanes(filters, fits = () => true) {
  const lanes = [];
  let cursor = null;
  do {
    const page = await get(query('/v1/lanes', { ...filters, limit: 200, cursor }));
    lanes.push(...page.items.filter(fits));
    cursor = page.next;
  } while (cursor && lanes.length < MOST);
  if (cursor) toast(`There are more; this is about the first ${number(lanes.length)} lanes.`);
  return lanes;
}

export async function retryHeads(lanes) {
  const ids = lanes.map((lane) => lane.headId).filter(Boolean);
  if (ids.length === 0) return toast('None of these lanes holds a message.');
  if (ids.length === 1) {
    const { done, refused } = await post('/v1/messages/retry', { ids });
    return done === 1 ? toast('Its head is tried now.') : toast(refused?.[0]?.reason ?? 'Its head does not wait any more.', { bad: true });
  }
  return bulk('/v1/messages/retry', { ids }, { verb: 'Retry', done: 'tried now', text: html`<p>The head of each lane is tried now instead of when it is due.</p>` });
}

export async function pauseLanes(lanes) {
  const going = lanes.filter((lane) => !lane.paused);
  if (going.length === 0) return toast('All of these lanes are paused.');
  const reason = await askWhy(`Pause ${count(going.length, 'lane')}`, 'Nothing is sent to these chats until somebody resumes them. Messages to them wait.');
  return reason === null ? undefined : change('pause', going, reason ? { reason } : {});
}

export async function resumeLanes(lanes) {
  const paused = lanes.filter((lane) => lane.paused);
  if (paused.length === 0) return toast('None of these lanes is paused.');
  const action = `Resume ${count(paused.length, 'lane')}`;
  const messages = paused.reduce((sum, lane) => sum + lane.depth, 0);
  const yes = await confirm({ title: `${action}?`, text: html`<p>${count(messages, 'message goes', 'messages go')} out then.</p>`, action });
  return yes ? change('resume', paused, {}) : undefined;
}

async function change(verb, lanes, options) {
  for (const some of inSteps(lanes.map(nameOf))) await post(`/v1/lanes/${verb}`, { lanes: some, ...options });
  return toast(`${count(lanes.length, 'lane is', 'lanes are')} ${verb}d.`);
}

/** One filter a lane, so that nothing else is touched. */
export const cancelMessages = (lanes) => bulk('/v1/messages/cancel', lanes.map((lane) => ({ ...nameOf(lane), status: 'queued' })), {
  verb: 'Cancel', done: 'cancelled', danger: true,
  text: html`<p>These are all queued messages of ${count(lanes.length, 'lane')}. They are not sent then; this cannot be undone.</p>`,
});
