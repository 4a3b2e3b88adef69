/**
 * Reads targets from a table or from lines, in the browser, so that mistakes are told as one types.
 * The first row may name the columns: to, account, name, timezone, window; every other is a variable,
 * but for those that a run adds to its table. Without such a row the first column is the chat and the
 * second its name.
 */
const OURS = ['to', 'account', 'name', 'timezone', 'window'];
const RESULTS = ['status', 'error', 'endedAt', 'messageIds'];
/** Before the name of a variable that is called as one of our columns. */
const VARIABLE = 'variables.';
const WINDOW = /^(\d\d:\d\d)-(\d\d:\d\d)((?: (?:MON|TUE|WED|THU|FRI|SAT|SUN))*)(?: (stop|resume))?$/i;
const NAME = /^[\p{L}\p{M}\p{N}_.-]+$/u;
/** What spreadsheets make of long numbers. */
const SHORTENED = /^[-+]?\d([.,]\d+)?E\+\d+$/i;
const MOST = 100_000;

/** The cells of a table with the line each row begins in; `open`: the line of a quote left open. */
function rows(text) {
  const separator = separatorOf(text);
  const all = [];
  let [cells, cell, quoted, line, begins] = [[], '', false, 1, 1];
  const endRow = () => {
    all.push({ line: begins, cells: [...cells, cell].map((one) => one.trim()) });
    [cells, cell, begins] = [[], '', line + 1];
  };
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i];
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') { cell += '"'; i += 1; }
      else if (c === '"') quoted = false;
      else { cell += c; if (c === '\n') line += 1; }
    } else if (c === '"' && cell.trim() === '') { quoted = true; cell = ''; }
    else if (c === separator) { cells.push(cell); cell = ''; }
    else if (c === '\n') { endRow(); line += 1; }
    else if (c !== '\r') cell += c;
  }
  const open = quoted ? begins : null;
  if (cell !== '' || cells.length > 0) endRow();
  return { all, open };
}

function separatorOf(text) {
  const first = text.slice(0, text.search(/\n|$/));
  return [',', ';', '\t'].reduce((best, one) => (first.split(one).length > first.split(best).length ? one : best));
}

/** {targets, errors: [{line, message}]}. */
export function readTargets(text) {
  const { all, open } = rows(text.replace(/^\uFEFF/, ''));
  const errors = open === null ? [] : [{ line: open, message: 'a quote is left open; write a quote inside a cell twice' }];
  const filled = all.filter((row) => row.cells.some((cell) => cell !== ''));
  const header = filled[0]?.cells.map((cell) => cell.toLowerCase());
  const named = header?.includes('to');
  const columns = named ? readColumns(filled.shift(), errors) : ['to', 'name'];
  const isResult = RESULTS.every((name) => columns.includes(name)) ? (name) => RESULTS.includes(name) : () => false;
  const targets = [];
  const seen = new Map();
  for (const { line, cells } of filled) {
    const target = readTarget(columns.map((name) => (isResult(name) ? null : name)), cells, line, errors);
    const key = `${target.to}\n${target.account ?? ''}`;
    if (target.to && seen.has(key)) errors.push({ line, message: `${target.to} is there already, in line ${seen.get(key)}` });
    seen.set(key, seen.get(key) ?? line);
    targets.push(target);
  }
  if (targets.length > MOST) errors.push({ line: filled[MOST].line, message: 'one target too many; a reminder holds at most 100,000' });
  return { targets, errors };
}

function readColumns({ line, cells }, errors) {
  return cells.map((cell, i) => {
    const name = OURS.includes(cell.toLowerCase()) ? cell.toLowerCase() : cell;
    if (name !== '' && cells.indexOf(cell) < i) errors.push({ line, message: `the column ${name} is there twice` });
    else if (name !== '' && !NAME.test(name)) errors.push({ line, message: `'${name}' cannot be a variable; call it '${name.replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, '_')}'` });
    return name;
  });
}

function readTarget(columns, cells, line, errors) {
  const target = { to: '', variables: {} };
  cells.forEach((written, i) => {
    const cell = /^'[=+\-@]/.test(written) ? written.slice(1) : written; // guarded from spreadsheets
    if (cell === '' || columns[i] === null) return;
    if (!columns[i]) errors.push({ line, message: `'${cell}' stands in a column without a name` });
    else if (columns[i] === 'window') target.window = readWindow(cell, line, errors);
    else if (OURS.includes(columns[i])) target[columns[i]] = cell;
    else target.variables[variableOf(columns[i])] = cell;
  });
  if (target.to === '') errors.push({ line, message: 'names no chat' });
  else if (SHORTENED.test(target.to)) errors.push({ line, message: `'${target.to}' was shortened by a spreadsheet; format the column as text` });
  return target;
}

/** "08:00-12:00 MON FRI resume", or "none" for any hour. */
function readWindow(cell, line, errors) {
  if (cell === 'none') return cell;
  const [, start, end, days, onClose] = WINDOW.exec(cell) ?? [];
  if (!start) errors.push({ line, message: `'${cell}' is no window; write one such as 08:00-12:00 MON FRI, or none for any hour` });
  return { start, end, ...(days ? { days: days.trim().toUpperCase().split(' ') } : {}), ...(onClose ? { onClose } : {}) };
}

const windowCell = (window) => (typeof window === 'object' ? [`${window.start ?? '06:00'}-${window.end ?? '18:00'}`, ...(window.days ?? []), window.onClose].filter(Boolean).join(' ') : window);

const isTaken = (name) => OURS.includes(name.toLowerCase()) || RESULTS.includes(name);

function variableOf(column) {
  const name = column.startsWith(VARIABLE) ? column.slice(VARIABLE.length) : column;
  return isTaken(name) ? name : column;
}

/** The hours of its own that a target has, in a cell; empty if it has none. */
export const ownHours = (target) => [target.timezone, windowCell(target.window)].filter(Boolean).join(', ');

const quoted = (value) => {
  const text = String(value ?? '');
  return /[",;\t\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Targets as a table that can be read again. */
export function writeTargets(targets) {
  if (targets.length === 0) return '';
  const variables = [...new Set(targets.flatMap((target) => Object.keys(target.variables ?? {})))].map((name) => (isTaken(name) ? VARIABLE + name : name));
  const columns = ['to', ...['name', 'account', 'timezone', 'window'].filter((name) => targets.some((target) => target[name])), ...variables];
  const cell = (target, name) => quoted(name === 'window' ? windowCell(target.window) : OURS.includes(name) ? target[name] : target.variables?.[variableOf(name)]);
  return [columns.join(','), ...targets.map((target) => columns.map((name) => cell(target, name)).join(','))].join('\n') + '\n';
}
