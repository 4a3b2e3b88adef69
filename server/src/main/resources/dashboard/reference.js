import { get } from './api.js';
import { card, el } from './dom.js';

/** The API's description, readable. */
export async function reference() {
  const api = await get('/openapi.json');
  const groups = new Map();
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0];
      groups.set(tag, [...(groups.get(tag) ?? []), entry(method.toUpperCase(), path, operation, api)]);
    }
  }
  return [el('p', { class: 'quiet' }, api.info.description, ' ', el('a', { href: '/openapi.json' }, 'openapi.json')), ...[...groups].map(([tag, entries]) => card(tag[0].toUpperCase() + tag.slice(1), null, ...entries))];
}

function entry(method, path, operation, api) {
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const body = schema?.$ref ? api.components.schemas[schema.$ref.split('/').pop()] : schema;
  const fields = [
    ...(operation.parameters ?? []).map((parameter) => [`${parameter.name} (${parameter.in})`, parameter.description]),
    ...Object.entries(body?.properties ?? {}).map(([name, field]) => [name, [field.description, field.enum && `one of ${field.enum.filter(Boolean).join(', ')}`].filter(Boolean).join(' ')]),
  ];
  return el('details', {}, el('summary', {}, el('span', { class: 'method' }, method), el('code', {}, path), ' ', el('span', { class: 'quiet' }, operation.summary)),
    el('p', {}, operation.description, ' Answers: ', Object.keys(operation.responses).join(', '), '.'),
    fields.length ? el('dl', {}, fields.flatMap(([name, about]) => [el('dt', {}, el('code', {}, name)), el('dd', {}, about ?? '')])) : null,
    body?.example ? el('p', {}, el('code', {}, JSON.stringify(body.example))) : null);
}
