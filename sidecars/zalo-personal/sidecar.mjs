#!/usr/bin/env node
// Postrider's sidecar for personal Zalo accounts. See README.md beside it.
import { readFileSync } from 'node:fs';
import { Refusal, serve, tell } from './protocol.mjs';
import { message, outgoing, reaction, receipt, refusal, refusesSession, sentId } from './zalo.mjs';

const PROTOCOL = 1;
const QR_LASTS = 100_000; // as long as zca-js waits for it
const TAKEN_OVER = [3000, 3003]; // another Zalo Web, or the phone, has ended this session
const DOUBTFUL = 3; // messages refused in a row, after which it may be the session that is refused

let zca;
let api = null; // logged in
let session = null;
let cursor = { person: null, group: null };
let refused = 0; // messages in a row
let pairing = null; // a login by QR code: { state, … } in the words of the protocol

const cursorText = () => JSON.stringify(cursor);

function advance(kind, id) {
  cursor = { ...cursor, [kind]: id };
  return cursorText();
}

async function identity() {
  try {
    const { profile } = await api.fetchAccountInfo();
    return profile?.displayName || profile?.zaloName || api.getOwnId();
  } catch {
    return api.getOwnId(); // it is only for people to read
  }
}

const needsLogin = (cause) => { api = null; tell('state', { state: 'needsLogin', cause }); };

function heard(event) {
  const group = event.type === zca.ThreadType.Group;
  tell('message', message(event, group, advance(group ? 'group' : 'person', String(event.data.msgId))));
}

function listen(current) {
  const { listener } = current;
  listener.on('connected', async () => {
    tell('state', { state: 'ready', identity: await identity() });
    for (const [kind, type] of [['person', zca.ThreadType.User], ['group', zca.ThreadType.Group]]) {
      if (cursor[kind]) listener.requestOldMessages(type, cursor[kind]); // what came meanwhile
    }
  });
  listener.on('message', heard);
  listener.on('old_messages', (events) => events.forEach(heard));
  listener.on('reaction', (event) => tell('reaction', reaction(event)));
  listener.on('delivered_messages', (told) => tell('receipt', receipt('delivered', told)));
  listener.on('seen_messages', (told) => tell('receipt', receipt('read', told)));
  listener.on('error', (problem) => console.error('listening:', problem?.message ?? problem));
  listener.on('closed', (code, reason) => {
    if (current !== api) return;
    if (TAKEN_OVER.includes(code)) {
      needsLogin(`Zalo has ended the session (${code}): somebody opened Zalo Web or PC with this account, or logged it out on the phone`);
    } else {
      tell('state', { state: 'connecting', cause: `Zalo closed the connection (${code}${reason ? ` ${reason}` : ''})` });
      end(0); // Postrider starts it again, after a pause that grows
    }
  });
  listener.start();
}

/** Logged in: the session goes to Postrider before anything else, for the next start. */
function enter(current, credentials) {
  api = current;
  pairing = null;
  const cookie = current.getCookie?.()?.toJSON?.().cookies ?? credentials.cookie;
  session = JSON.stringify({ cookie, imei: credentials.imei, userAgent: credentials.userAgent });
  tell('session', { session });
  listen(current);
}

const newZalo = () => new zca.Zalo({ selfListen: false, checkUpdate: false, logging: false });

async function resume() {
  const credentials = JSON.parse(session);
  tell('state', { state: 'connecting', cause: 'logging in with the session of last time' });
  try {
    enter(await newZalo().login(credentials), credentials);
  } catch (problem) {
    if (refusesSession(problem)) {
      needsLogin(`Zalo does not take the session of last time (${problem.message})`);
    } else {
      tell('state', { state: 'connecting', cause: refusal(problem).message }); // the session may be good
      end(1); // Postrider starts it again, after a pause that grows
    }
  }
}

/** Zalo refuses one message after the other. If it does not even say who we are, the login of the next start tells whether it takes a person. */
async function checkSession() {
  try {
    await api.fetchAccountInfo();
  } catch (problem) {
    const { message: said, data } = refusal(problem);
    if (data.kind !== 'notSent') return; // it is not Zalo that says so
    tell('state', { state: 'connecting', cause: `Zalo refuses all we ask (${said})` });
    end(1);
    throw new Refusal('unreachable', 'Zalo refuses all we ask; it is logged in anew');
  }
}

/** Begins a login by QR code, and follows it in `pairing`. */
function pair() {
  const Event = zca.LoginQRCallbackEventType;
  let credentials = null;
  pairing = { state: 'waiting', cause: 'Zalo makes a QR code' };
  const mine = newZalo().loginQR({}, ({ type, data, actions }) => {
    if (type === Event.QRCodeGenerated) {
      pairing = { state: 'scan', png: data.image, validUntil: new Date(Date.now() + QR_LASTS).toISOString() };
    } else if (type === Event.QRCodeScanned) {
      pairing = { state: 'waiting', cause: 'scanned; confirm it on the phone' };
    } else if (type === Event.QRCodeExpired) {
      pairing = null; // whoever still looks asks for another
      actions.abort();
    } else if (type === Event.QRCodeDeclined) {
      pairing = { state: 'failed', cause: 'it was declined on the phone' };
      actions.abort();
    } else if (type === Event.GotLoginInfo) {
      credentials = data;
    }
  });
  mine.then((current) => enter(current, credentials ?? {}), (problem) => {
    if (pairing && pairing.state !== 'failed') pairing = { state: 'failed', cause: refusal(problem).message };
  });
}

const end = serve({
  async hello(params) {
    if (params.protocol !== PROTOCOL) throw new Refusal('broken', `this sidecar speaks version ${PROTOCOL} of the protocol`);
    try {
      zca = await import(process.env.POSTRIDER_ZCA_JS ?? 'zca-js');
    } catch (problem) {
      throw new Refusal('broken', `zca-js is not installed: run "npm ci" in ${import.meta.dirname ?? 'its folder'} (${problem.message})`);
    }
    session = params.session ?? null;
    cursor = { ...cursor, ...(params.cursor ? JSON.parse(params.cursor) : {}) };
    setImmediate(() => (session ? resume() : needsLogin('nobody has logged it in yet'))); // after the answer
    return { protocol: PROTOCOL, name: 'zalo-personal', version: '1.0.0' };
  },

  ping: () => ({}),

  async login({ phone }) {
    if (phone) throw new Refusal('rejectedMessage', 'Zalo lets devices in by QR code only; leave the phone number out');
    if (api) return { state: 'loggedIn', identity: await identity() };
    if (pairing?.state === 'failed') {
      const failed = pairing;
      pairing = null; // asked again, it begins anew
      return failed;
    }
    if (!pairing) pair();
    return pairing;
  },

  async send(params) {
    if (!api) throw new Refusal('loggedOut', 'nobody is logged in');
    const type = params.chat.kind === 'group' ? zca.ThreadType.Group : zca.ThreadType.User;
    try {
      const sent = await api.sendMessage(outgoing(params, readFileSync), params.chat.id, type);
      refused = 0;
      return { messageId: sentId(sent) };
    } catch (problem) {
      const why = refusal(problem);
      if (why.data.kind === 'notSent' && ++refused % DOUBTFUL === 0) await checkSession();
      throw why;
    }
  },
});
