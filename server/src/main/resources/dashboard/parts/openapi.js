/** Reads an OpenAPI document for people: its operations by group, their fields, examples and curl. */

/** What the document's words for groups mean, in the order in which they are shown. */
const GROUPS = {
  messages: 'Send, find, cancel and retry messages.',
  media: 'Bring files that messages name.',
  'dead letters': 'What ended undelivered: read, send again, discard.',
  accounts: 'Whether accounts can do their work; pause, resume, check, log in.',
  lanes: 'What waits for each chat, and why.',
  reminders: 'Scheduled messages to many chats.',
  runs: 'The firings of reminders, with each target.',
  inbound: 'What platforms bring, and who handles it.',
  sessions: 'Conversations.',
  looking: 'Figures, events, health, the audit trail and the cluster.',
};

const MOST_DEEP = 4;

/** The operations, each {key, method, path, about…}, in groups: [{name, about, operations}]. */
export function groups(api) {
  const all = Object.entries(api.paths).flatMap(([path, methods]) => Object.entries(methods)
    .map(([method, operation]) => ({ key: keyOf(method, path), method: method.toUpperCase(), path, ...operation })));
  const names = [...new Set([...Object.keys(GROUPS), ...all.map((one) => one.tags[0])])];
  return names.map((name) => ({ name, about: GROUPS[name] ?? '', operations: all.filter((one) => one.tags[0] === name) }))
    .filter((group) => group.operations.length > 0);
}

/** What an address names an operation by: post-v1-messages-id-cancel. */
const keyOf = (method, path) => `${method}${path}`.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/-$/, '');

/** Whether every word that is looked for is somewhere in the operation. */
export function fits(operation, text) {
  const where = [operation.method, operation.path, operation.summary, operation.description, ...(operation.parameters ?? []).map((one) => one.name)].join(' ').toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => where.includes(word));
}

export const resolved = (api, schema) => (schema?.$ref ? { ...api.components.schemas[schema.$ref.split('/').pop()], ...schema } : schema ?? {});

/** The body of a request or an answer as JSON: its schema, null if there is none. */
export function json(content) {
  const type = Object.keys(content ?? {}).find((one) => one.includes('json'));
  return type ? content[type].schema ?? null : null;
}

/** The type of a field in words: "list of objects", "text, one of: fifo, none". */
export function typeInWords(api, given) {
  const schema = resolved(api, given);
  const types = [schema.type ?? []].flat().filter((one) => one !== 'null');
  const name = { string: schema.format === 'date-time' ? 'instant' : 'text', array: schema.items ? `list of ${typeInWords(api, schema.items)}` : 'list' };
  const words = schema.oneOf || schema.anyOf ? (schema.oneOf ?? schema.anyOf).map((one) => typeInWords(api, one)).join(' or ') : types.map((one) => name[one] ?? one).join(' or ');
  const choices = (schema.enum ?? []).filter((one) => one !== null);
  return [words || (choices.length > 0 ? 'text' : 'anything'), choices.length > 0 ? `one of ${choices.join(', ')}` : null,
    schema.const !== undefined ? `always ${schema.const}` : null, schema.default !== undefined ? `default ${JSON.stringify(schema.default)}` : null].filter(Boolean).join('; ');
}

/** The fields of an object, or of the objects in a list: [{name, type, required, about, fields}]. */
export function fields(api, given, depth = 0) {
  const schema = resolved(api, given);
  if (schema.items) return fields(api, schema.items, depth);
  const parts = [schema, ...(schema.allOf ?? [])].map((one) => resolved(api, one));
  return parts.flatMap((part) => Object.entries(part.properties ?? {}).map(([name, field]) => ({
    name,
    type: typeInWords(api, field),
    required: (part.required ?? []).includes(name),
    about: resolved(api, field).description ?? '',
    fields: depth + 1 < MOST_DEEP ? fields(api, field, depth + 1) : [],
  })));
}

const SAMPLES = { account: 'sandbox', to: 'ann', chat: 'ann', text: 'Hello', timezone: 'Europe/Berlin', id: '0199a1b2-…', reason: 'maintenance', cron: '0 9 * * FRI' };

/** A value that fits: the document's own example, else one made of what is required. */
export function sample(api, given, name = null, depth = 0) {
  const schema = resolved(api, given);
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  if (schema.enum) return schema.enum.find((one) => one !== null) ?? null;
  if (schema.oneOf || schema.anyOf) return sample(api, (schema.oneOf ?? schema.anyOf)[0], name, depth);
  if (schema.properties || schema.allOf) return sampleObject(api, schema, depth);
  const type = [schema.type ?? 'object'].flat()[0];
  return {
    string: () => (schema.format === 'date-time' ? '2026-11-20T09:00:00Z' : SAMPLES[name] ?? '…'),
    integer: () => schema.minimum ?? 1, number: () => 1, boolean: () => true,
    array: () => (depth < MOST_DEEP && schema.items ? [sample(api, schema.items, name, depth + 1)] : []),
  }[type]?.() ?? {};
}

function sampleObject(api, schema, depth) {
  if (depth >= MOST_DEEP) return {};
  const properties = Object.assign({}, ...[schema, ...(schema.allOf ?? [])].map((one) => resolved(api, one).properties ?? {}));
  const names = schema.required?.length ? schema.required : Object.keys(properties).slice(0, 3);
  return Object.fromEntries(names.filter((name) => properties[name]).map((name) => [name, sample(api, properties[name], name, depth + 1)]));
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** A command that makes the request. The token stands in the environment, never in the page. */
export function curl(api, operation, server, withToken) {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => (name === 'account' ? 'sandbox' : name.toUpperCase()));
  const needed = (operation.parameters ?? []).filter((one) => one.in === 'query' && one.required).map((one) => `${one.name}=${one.name.toUpperCase()}`);
  const content = operation.requestBody?.content;
  const schema = json(content);
  const type = Object.keys(content ?? {})[0];
  const lines = [`curl -sS${operation.method === 'GET' ? '' : ` -X ${operation.method}`} ${quoted(server + path + (needed.length ? `?${needed.join('&')}` : ''))}`];
  if (withToken) lines.push('-H "Authorization: Bearer $POSTRIDER_TOKEN"');
  if (type) lines.push(`-H ${quoted(`Content-Type: ${type}`)}`);
  if (schema) lines.push(`-d ${quoted(JSON.stringify(sample(api, schema)))}`);
  else if (type) lines.push('--data-binary @FILE');
  return lines.join(' \\\n  ');
}
