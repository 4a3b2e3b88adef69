import { get, path } from '../base/api.js';
import { go } from '../base/route.js';
import { live } from '../base/live.js';
import { chosen } from '../base/settings.js';
import { toast } from './toast.js';

/**
 * Tells when a run ends, if the viewer has chosen so. While the tab is hidden no events are followed,
 * so the runs known to be under way are asked for every half minute; none are, nothing is asked.
 */
const EVERY = 30_000;
const underWay = new Set();

function tell(id, name, text) {
  if (!underWay.delete(id) || !chosen().notify) return;
  if (!document.hidden) {
    toast(`${name}: ${text}`, { action: { label: 'Show', do: () => go('run', id) }, stay: 15_000 });
  } else if (globalThis.Notification?.permission === 'granted') {
    const notification = new Notification(name, { body: text, tag: id });
    notification.onclick = () => { focus(); go('run', id); };
  }
}

/** A run that was seen under way. */
export const watch = (run) => { underWay.add(run.id); };

live.addEventListener('event', ({ detail }) => {
  if (['reminder.fired', 'run.progress'].includes(detail.type)) underWay.add(detail.runId);
  else if (detail.type === 'run.ended') tell(detail.runId, detail.name, detail.summary ?? detail.status);
});

setInterval(async () => {
  if (!document.hidden || !chosen().notify) return;
  for (const id of underWay) {
    try {
      const run = await get(path`/v1/runs/${id}`);
      if (run.endedAt) tell(id, run.name, run.summary ?? run.status);
    } catch (problem) {
      if (problem.status === 404) underWay.delete(id); // it is kept no longer
    }
  }
}, EVERY);
