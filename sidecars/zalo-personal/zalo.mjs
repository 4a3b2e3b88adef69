// What zca-js says and wants, in the words of the protocol. Nothing here talks to anybody.
import { STATUS_CODES } from 'node:http';
import { Refusal } from './protocol.mjs';

const STYLES = { bold: 'b', italic: 'i', strike: 's' };
const URGENCIES = { important: 1, urgent: 2 };
const KINDS = { 'chat.photo': 'image', 'chat.gif': 'image', 'chat.video.msg': 'video', 'chat.voice': 'voice', 'share.file': 'document' };

/** Nothing was sent: there was no connection. */
const NO_CONNECTION = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

const chat = (thread, group) => ({ id: String(thread), kind: group ? 'group' : 'person' });

const at = (millis) => (Number(millis) > 0 ? new Date(Number(millis)).toISOString() : undefined);

/** What a quote of this message needs; zca-js wants it back as it was. */
const quoteOf = ({ content, msgType, propertyExt, uidFrom, msgId, cliMsgId, ts, ttl }) =>
  ({ content, msgType, propertyExt, uidFrom, msgId, cliMsgId, ts, ttl });

function filesOf({ msgType, content }) {
  if (typeof content !== 'object' || !content?.href) return undefined;
  return [{ kind: KINDS[msgType] ?? 'document', url: content.href, filename: msgType === 'share.file' ? content.title : undefined }];
}

/** A message that somebody wrote. */
export function message({ data, threadId, isSelf }, group, cursor) {
  const { content } = data;
  const files = filesOf(data);
  const text = typeof content === 'string' ? content : [files && data.msgType === 'share.file' ? null : content?.title, content?.description].filter(Boolean).join('\n');
  return {
    id: String(data.msgId), chat: chat(threadId, group), sender: { id: String(data.uidFrom), name: data.dName }, text: text || undefined,
    files, at: at(data.ts), replyToId: data.quote?.globalMsgId ? String(data.quote.globalMsgId) : undefined, fromMe: isSelf, quote: quoteOf(data), cursor,
    raw: { msgType: data.msgType, cliMsgId: data.cliMsgId, content },
  };
}

/** A reaction; one that was taken back has no sign. */
export function reaction({ data, threadId, isSelf, isGroup }) {
  const target = data.content?.rMsg?.[0];
  return {
    id: `reaction:${data.msgId}`, chat: chat(threadId, isGroup), sender: { id: String(data.uidFrom), name: data.dName }, emoji: data.content?.rIcon || undefined,
    messageId: target?.gMsgID ? String(target.gMsgID) : undefined, at: at(data.ts), fromMe: isSelf, raw: { content: data.content },
  };
}

/** What became of messages of ours; ids that are none are left out. */
export const receipt = (state, told) => ({
  state, messageIds: [...new Set(told.flatMap(({ data }) => [data.msgId, data.realMsgId]))].filter((id) => id && id !== '0').map(String),
});

/** Width and height of a picture, which Zalo wants to know: of PNG, GIF and JPEG. */
export function pictureSize(bytes) {
  if (bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (bytes.length > 10 && bytes.toString('latin1', 0, 3) === 'GIF') return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  for (let i = 2; bytes[0] === 0xff && bytes[1] === 0xd8 && i + 9 < bytes.length && bytes[i] === 0xff; i += 2 + bytes.readUInt16BE(i + 2)) {
    const marker = bytes[i + 1];
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return { width: bytes.readUInt16BE(i + 7), height: bytes.readUInt16BE(i + 5) };
  }
  return {};
}

const EXTENSIONS = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/gif': 'gif', 'image/webp': 'webp', 'video/mp4': 'mp4' };

/** Zalo tells kinds apart by the ending of the name. */
function fileName({ filename, type, kind }) {
  const name = filename || kind || 'file';
  const ending = EXTENSIONS[type];
  return !ending || /\.[A-Za-z0-9]{1,5}$/.test(name) ? name : `${name}.${ending}`;
}

/** What zca-js is to send; `read` gives the bytes of a file. One request of Zalo's: either a text or one file. */
export function outgoing({ text, styles, files, reply, data }, read) {
  const options = { ttl: data?.ttl, urgency: URGENCIES[data?.urgency] };
  if (files?.length) {
    const bytes = read(files[0].path);
    return { msg: '', ...options, attachments: [{ data: bytes, filename: fileName(files[0]), metadata: { totalSize: bytes.length, ...pictureSize(bytes) } }] };
  }
  const ranges = (styles ?? []).filter(({ style }) => STYLES[style]).map(({ start, length, style }) => ({ start, len: length, st: STYLES[style] }));
  return { msg: text, ...options, styles: ranges.length ? ranges : undefined, quote: reply?.quote };
}

/** The id of what was sent; undefined if Zalo gave none. */
export function sentId({ message: sent, attachment }) {
  const id = sent?.msgId ?? attachment?.[0]?.msgId;
  return id == null ? undefined : String(id);
}

/**
 * What an error of zca-js means. Zalo documents no codes: one with a number is Zalo's own answer, so nothing was sent; one without is
 * zca-js refusing before it asks, or an HTTP status in words.
 */
export function refusal(problem) {
  if (problem instanceof Refusal) return problem;
  const code = problem?.cause?.code ?? problem?.code;
  const said = `Zalo: ${code ? `${code} ` : ''}${problem?.message ?? problem}`;
  if (NO_CONNECTION.includes(code)) return new Refusal('unreachable', 'Zalo cannot be reached');
  const status = /status code (\d{3})/.exec(problem?.message)?.[1];
  if (status === '429') return new Refusal('throttled', said, { scope: 'account', retryAfter: 300 });
  if (status) return new Refusal(status.startsWith('4') ? 'notSent' : 'unknown', said);
  if (!problem?.name?.startsWith('Z')) return new Refusal('unknown', said); // neither ZcaApiError nor its kin
  return new Refusal(typeof code === 'number' ? 'notSent' : 'rejectedMessage', said);
}

/**
 * Whether it is Zalo that refuses a login. What befalls the network, a front of Zalo's that is overloaded and an answer that is none
 * say nothing about the session. zca-js tells HTTP statuses by their words only.
 */
export function refusesSession(problem) {
  if (!problem?.name?.startsWith('Z')) return false;
  const [, status] = /^Failed to fetch \w+ info: ?(.*)$/.exec(problem.message) ?? [];
  return status === undefined || status === STATUS_CODES[401] || !['', ...Object.values(STATUS_CODES)].includes(status);
}
