// Stands in for zca-js in tests: the same names and shapes, and no network. What it is asked stands in the file FAKE_ZCA_RECORD, a line each;
// texts steer it: "#code 118", "#silent", "#status 500", "#cut", and so do files beside the record (see `steering`). Lines in the file FAKE_ZCA_SCRIPT
// are events that it emits.
import { EventEmitter } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

export const ThreadType = { User: 0, Group: 1 };
export const LoginQRCallbackEventType = { QRCodeGenerated: 0, QRCodeExpired: 1, QRCodeScanned: 2, QRCodeDeclined: 3, GotLoginInfo: 4 };

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

class ZaloApiError extends Error {
  constructor(text, code) {
    super(text);
    this.name = 'ZcaApiError';
    this.code = code ?? null;
  }
}

const record = (what) => process.env.FAKE_ZCA_RECORD && appendFileSync(process.env.FAKE_ZCA_RECORD, `${JSON.stringify(what)}\n`);

/** What the file "<record>.<about>" says: "answer" (there: silent sends are answered), "login" (what befalls a login), "dead" (there: the session is). */
function steering(about) {
  const file = `${process.env.FAKE_ZCA_RECORD}.${about}`;
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

const lost = (code) => Object.assign(new TypeError('fetch failed'), { cause: { code } });

class Listener extends EventEmitter {
  start() {
    record({ listening: true });
    setImmediate(() => this.emit('connected'));
    this.played = 0;
    this.timer = setInterval(() => this.play(), 20);
  }

  /** Each line is [event, arguments]; one is played once. */
  play() {
    const script = process.env.FAKE_ZCA_SCRIPT;
    if (!script || !existsSync(script)) return;
    const lines = readFileSync(script, 'utf8').split('\n').slice(0, -1);
    for (; this.played < lines.length; this.played += 1) {
      const [event, ...args] = JSON.parse(lines[this.played]);
      this.emit(event, ...args);
    }
  }

  requestOldMessages(type, last) {
    record({ oldMessages: type, last });
  }
}

class API {
  listener = new Listener();

  getOwnId = () => '42';

  getCookie = () => ({ toJSON: () => ({ cookies: [{ key: 'zpw_sek', value: 'fresh-cookie' }] }) });

  fetchAccountInfo = async () => {
    record({ whoAmI: true });
    if (steering('dead') !== undefined) throw new ZaloApiError('Session expired', 102);
    return { profile: { displayName: 'Ann Nguyen' } };
  };

  async sendMessage(message, thread, type) {
    const attachments = message.attachments?.map(({ data, ...rest }) => ({ ...rest, text: data.toString('latin1').slice(0, 40) }));
    record({ send: { ...message, attachments }, thread, type });
    const [, trick, number] = /#(\w+)(?: (\d+))?/.exec(message.msg ?? '') ?? [];
    if (trick === 'code') throw new ZaloApiError('refused', Number(number));
    if (trick === 'status') throw new ZaloApiError(`Request failed with status code ${number}`);
    if (trick === 'bad') throw new ZaloApiError('Missing message content');
    if (trick === 'cut') throw lost('ECONNRESET');
    if (trick === 'away') throw lost('ECONNREFUSED');
    if (trick === 'silent' && steering('answer') === undefined) return new Promise(() => {});
    const id = `${Date.now()}`;
    return attachments ? { message: null, attachment: [{ msgId: id }] } : { message: { msgId: id }, attachment: [] };
  }
}

export class Zalo {
  async login(credentials) {
    record({ login: Object.keys(credentials).sort(), imei: credentials.imei });
    const trouble = steering('login');
    if (trouble === 'html') JSON.parse('<html>');
    if (trouble?.startsWith('E') || trouble?.startsWith('UND')) throw lost(trouble);
    if (trouble) throw new ZaloApiError(trouble);
    return new API();
  }

  async loginQR(options, callback) {
    record({ qr: true });
    const actions = { abort() {}, retry() {} };
    callback({ type: LoginQRCallbackEventType.QRCodeGenerated, data: { code: 'c', image: PNG }, actions });
    await new Promise((resolve) => { setTimeout(resolve, Number(process.env.FAKE_ZCA_SCAN_AFTER ?? 100)); });
    if (process.env.FAKE_ZCA_DECLINES) {
      callback({ type: LoginQRCallbackEventType.QRCodeDeclined, data: {}, actions });
      return new Promise(() => {});
    }
    callback({ type: LoginQRCallbackEventType.QRCodeScanned, data: {}, actions });
    callback({ type: LoginQRCallbackEventType.GotLoginInfo, data: { cookie: [{ key: 'zpw_sek', value: 'new-cookie' }], imei: 'imei-1', userAgent: 'ua' }, actions: null });
    return new API();
  }
}
