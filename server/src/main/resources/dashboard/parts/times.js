import { toast } from './toast.js';

/** Moments say themselves exactly: on hover by their title, at a touch, and all at once. */

/** Says the moment that was touched. */
export function tellExactly(target) {
  const time = target.closest('main time[title]');
  if (time && !target.closest('a, button, summary, label')) toast(time.title);
}

/** Lets all moments be shown exactly, or no more. */
export function turnExactTimes() {
  const { dataset } = document.documentElement;
  if (dataset.times === 'exact') delete dataset.times;
  else dataset.times = 'exact';
}
