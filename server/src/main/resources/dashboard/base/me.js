import { get } from './api.js';

/** Who looks, and what they may do. */
let me = { name: null, roles: [], tokensNeeded: false };

export async function learnWhoLooks() {
  me = await get('/v1/me');
  return me;
}

export const whoLooks = () => me;

/** Whether the person may do what needs a role: 'read', 'send' or 'admin'. */
export const may = (role) => me.roles.includes(role);
