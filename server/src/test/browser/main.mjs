// Runs the tests of the dashboard, one at a time, as it is told line by line on its standard input:
//   main.mjs CHROMIUM FOLDER_FOR_SCREENSHOTS FILE…
// It first prints which tests there are. While one runs it may ask for a server.
import { createInterface } from 'node:readline';
import { basename, resolve } from 'node:path';
import { begin, end, run, tests } from './harness.mjs';

const [chromium, screenshots, ...files] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const tell = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

async function heard() {
  const { value, done } = await lines.next();
  return done ? null : JSON.parse(value);
}

await begin({ chromium, screenshots, ask: async (message) => { tell(message); return heard(); } });
for (const file of files) await import(resolve(import.meta.dirname, basename(file)));
tell({ tests: tests.map((one) => one.name) });
for (let wish = await heard(); wish !== null; wish = await heard()) {
  tell({ ended: await run(wish.run) });
}
await end();
