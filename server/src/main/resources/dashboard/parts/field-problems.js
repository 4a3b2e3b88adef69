/**
 * What is wrong, by field, for the fields that a form has: `media[0].url` belongs to `media`. `rest`
 * is everything that belongs to none of them.
 */
export function whereWrong(problem, fields) {
  if (!problem) return {};
  const wrong = {};
  const others = [];
  for (const { field, message } of problem.errors ?? []) {
    const own = fields.find((name) => field === name || field?.startsWith(`${name}[`) || field?.startsWith(`${name}.`));
    if (own) wrong[own] = wrong[own] ? `${wrong[own]}; ${message}` : `It ${message}`.replace(/^It nothing/, 'Nothing').replace(/^It no /, 'No ');
    else others.push(`${field}: ${message}`);
  }
  const nothingNamed = Object.keys(wrong).length === 0 && others.length === 0;
  return { ...wrong, ...(nothingNamed ? { rest: problem.message } : others.length ? { rest: others.join('; ') } : {}) };
}
