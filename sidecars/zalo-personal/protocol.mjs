// Postrider's sidecar protocol, version 1: JSON-RPC 2.0, a message a line, over standard input and output.
// Everything else a program prints belongs to standard error, which Postrider logs.
import { createInterface } from 'node:readline';

/** A refusal that Postrider understands; kinds are those of docs/sidecar-protocol.md. */
export class Refusal extends Error {
  constructor(kind, message, more = {}) {
    super(message);
    this.data = { kind, ...more };
  }
}

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** Tells something that nobody has asked for. */
export const tell = (method, params) => say({ method, params });

/**
 * Answers requests by the methods' names until the input ends; then this program ends too, because nobody would hear it.
 * Gives back how to end it on purpose: once what is under way is answered.
 */
export function serve(methods) {
  for (const name of ['log', 'info', 'debug']) console[name] = console.error; // libraries print
  const underWay = new Set();
  let ending = false;
  const answer = async ({ id, method, params }) => {
    try {
      if (ending) throw new Refusal('unreachable', 'the sidecar is about to end');
      if (!methods[method]) throw Object.assign(new Error(`there is no method ${method}`), { code: -32601 });
      say({ id, result: (await methods[method](params ?? {})) ?? {} });
    } catch (problem) {
      say({ id, error: { code: Number.isInteger(problem.code) ? problem.code : -32000, message: problem.message, data: problem.data ?? { kind: 'unknown' } } });
    }
  };
  createInterface({ input: process.stdin, crlfDelay: Infinity })
    .on('line', (line) => {
      let request;
      try {
        request = JSON.parse(line);
      } catch {
        return; // a line that is none ends with the next
      }
      const work = answer(request).finally(() => underWay.delete(work));
      underWay.add(work);
    })
    .on('close', () => process.exit(0));
  return async (code) => {
    ending = true;
    await Promise.allSettled(underWay);
    process.stdout.write('', () => process.exit(code)); // after what was said before
  };
}
