/**
 * Reads targets from a table or from lines, in the browser, so that mistakes are told as one types.
 * The first row may name the columns: to, account, name; every other is a variable. Without such a
 * row the first column is the chat and the second its name.
 */
const OURS = ['to', 'account', 'name'];
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
  if (cell !== '' || cells.length > 0) endRow();
  return { all, open: quoted ? begins : null };
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
  const columns = named ? readColumns(filled.shift(), errors) : OURS.filter((name) => name !== 'account');
  const targets = [];
  const seen = new Map();
  for (const { line, cells } of filled) {
    const target = readTarget(columns, cells, line, errors);
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
    if (cell === '') return;
    if (!columns[i]) errors.push({ line, message: `'${cell}' stands in a column without a name` });
    else if (OURS.includes(columns[i])) target[columns[i]] = cell;
    else target.variables[columns[i]] = cell;
  });
  if (target.to === '') errors.push({ line, message: 'names no chat' });
  else if (SHORTENED.test(target.to)) errors.push({ line, message: `'${target.to}' was shortened by a spreadsheet; format the column as text` });
  return target;
}

const quoted = (value) => {
  const text = String(value ?? '');
  return /[",;\t\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Targets as a table that can be read again. */
export function writeTargets(targets) {
  if (targets.length === 0) return '';
  const variables = [...new Set(targets.flatMap((target) => Object.keys(target.variables ?? {})))].filter((name) => !OURS.includes(name));
  const columns = ['to', ...['name', 'account'].filter((name) => targets.some((target) => target[name])), ...variables];
  const cell = (target, name) => quoted(OURS.includes(name) ? target[name] : target.variables?.[name]);
  return [columns.join(','), ...targets.map((target) => columns.map((name) => cell(target, name)).join(','))].join('\n') + '\n';
}
