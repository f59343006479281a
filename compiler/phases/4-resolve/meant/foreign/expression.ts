/** A text in quotes, as other tools write it. */
const TEXT = String.raw`"[^"\\]*"|'[^'\\]*'`;
/** Members behind a value: `.id`, `[0]`, `["x y"]`. */
const MEMBERS = String.raw`(?:\.[A-Za-z_]\w*|\[\d+\]|\[(?:${TEXT})\])*`;

const LITERAL = new RegExp(String.raw`^(?:-?\d+(?:\.\d+)?|true|false|null|${TEXT})$`);
const PATH = new RegExp(`^[A-Za-z_]\\w*${MEMBERS}$`);
const ONLY_MEMBERS = new RegExp(`^${MEMBERS}$`);

/** The answer in other tools: `pm.response`, `response`, `res`. */
const ANSWER = /^(?:pm\.)?(?:response|resp|res)(?![\w(])/;

/** Parts of an answer in other tools, and here. */
const PARTS: readonly (readonly [form: RegExp, field: string])[] = [
  [/^\.(?:code|status|statusCode|status_code)(?:\(\))?/, '.status_code'],
  [/^\.responseTime/, '.elapsed_ms'],
  [/^\.(?:json\(\)|body|data)/, '.json'],
  [/^\.text(?:\(\))?/, '.text'],
];

/** Places of variables in Postman: one is an environment, the others are stores of variables. */
const STORED = /^pm\.(environment|variables|globals|collectionVariables|iterationData)\.get\(["'](\w+)["']\)$/;

/**
 * The value that an expression of another tool stands for, as conditions write it; `answer` is the name of the answer
 * there. Undefined for what has no counterpart.
 */
export function valueMeant(written: string, answer: string): string | undefined {
  const text = written.trim();
  if (LITERAL.test(text)) return text;
  const [, store, name = ''] = STORED.exec(text) ?? [];
  if (store !== undefined) return store === 'environment' ? `\${ENV.${name}}` : name;
  const [start] = ANSWER.exec(text) ?? [];
  if (start === undefined) return PATH.test(text) ? text : undefined;
  const rest = text.slice(start.length);
  return rest === '' ? answer : (headerMeant(rest, answer) ?? partMeant(rest, answer));
}

function partMeant(rest: string, answer: string): string | undefined {
  for (const [form, field] of PARTS) {
    const [found] = form.exec(rest) ?? [];
    const members = rest.slice(found?.length ?? 0);
    if (found !== undefined && ONLY_MEMBERS.test(members)) return `${answer}${field}${members}`;
  }
  return undefined;
}

const HEADER = new RegExp(`^\\.headers(?:\\.get\\((${TEXT})\\)|(?:\\(\\))?\\[(${TEXT})\\])$`);

function headerMeant(rest: string, answer: string): string | undefined {
  const [, called, member] = HEADER.exec(rest) ?? [];
  const name = called ?? member;
  return name === undefined ? undefined : `${answer}.headers[${name}]`;
}

/** The members of a JSONPath that leads to one value: `.items[0].id` of `$.items[0].id`. */
export function membersOfJsonPath(path: string): string | undefined {
  const members = path.replace(/^\$/, '');
  return path.startsWith('$') && ONLY_MEMBERS.test(members) ? members : undefined;
}

/** Index of the parenthesis that closes the one at `open`; -1 without one. */
export function closing(text: string, open: number): number {
  let depth = 0;
  let quote = '';
  for (let index = open; index < text.length; index += 1) {
    const letter = text.charAt(index);
    if (quote !== '') {
      if (letter === quote) quote = '';
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '(') depth += 1;
    else if (letter === ')' && (depth -= 1) === 0) return index;
  }
  return -1;
}
