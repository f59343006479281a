/** Names of commands. */
const commandName = /(?:WR|AT|FA)_\w/g;
/** Beginning of a plan, as `svc plan --format json` prints it: the commands it calls, by name. */
const plan = /^\s{0,64}\{\s{0,64}"commands"\s{0,64}:\s{0,64}\{/;
const lineEnd = /[\n\r\u2028\u2029]/;
/** Keys that say where commands of modules come from. */
const moduleKeys = /\b(meta|modules)["']?\s{0,64}:/g;
/** Characters between `meta` and the `modules` that belong to it. */
const NEAR = 4096;

/** Keys that stand at the top of an action file; beside others a body key is somebody else's. */
const topKey = /^(?:actions|nodes|svc|svc_\w+|webdriver_wrapper|meta|setup|teardown|x-.*|\$schema)$/;
const bodyKey = /^(?:actions|nodes|svc|svc_\w+|webdriver_wrapper)$/;

/**
 * Whether a text is an action file: it calls commands, lists modules, uses other files in a body, or has a body without
 * anything in it.
 */
export function isActionFile(text: string): boolean {
  if (plan.test(text)) return false;
  return isActionText(text) || usesFiles(text) || hasEmptyBody(text);
}

/** A body key at the beginning of a line, or of a JSON text; and a step that uses a file. */
const bodyLine =
  /^[-[]|(?:^|\n|^\{)[ \t]{0,64}["']?(?:actions|nodes|svc|svc_\w{1,64}|webdriver_wrapper)["']?[ \t]{0,64}:/;
const usingStep = /[-{,][ \t]{0,64}["']?use["']?[ \t]{0,64}:[ \t]{1,64}["']?[^\s"'{[]/;

/** Whether a text is a body that calls nothing itself, but files that do. */
function usesFiles(text: string): boolean {
  return usingStep.test(text) && bodyLine.test(text);
}

function hasEmptyBody(text: string): boolean {
  return /^\s*\{/.test(text) ? hasEmptyJsonBody(text) : hasEmptyYamlBody(text);
}

function hasEmptyJsonBody(text: string): boolean {
  // Most JSON is none of ours, and may be large.
  if (!/"(?:actions|nodes|svc\w*|webdriver_wrapper)"\s*:\s*(?:\[\s*\]|null)/.test(text)) return false;
  try {
    const top = Object.entries(JSON.parse(text) as object) as readonly (readonly [string, unknown])[];
    return top.every(([key]) => topKey.test(key)) && top.some(([key, value]) => bodyKey.test(key) && isEmpty(value));
  } catch {
    return false;
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Keys at the beginning of lines, and what stands behind a body key up to the next one. */
function hasEmptyYamlBody(text: string): boolean {
  let key: string | undefined;
  let isBare = false;
  let found = false;
  for (const line of text.split(/\r\n?|\n/)) {
    if (/^\s*(?:#.*|---\s*)?$/.test(line)) continue;
    const [, name, rest = ''] = /^(["']?[\w$-]+["']?)\s*:(?:\s+(.*))?$/.exec(line) ?? [];
    if (name === undefined) {
      // A line that is indented, or begins an element, belongs to the key above.
      if (key === undefined) return false;
      isBare = false;
      continue;
    }
    found ||= isBare;
    key = name.replaceAll(/["']/g, '');
    if (!topKey.test(key)) return false;
    isBare = bodyKey.test(key) && /^(?:\[\s*\]|null|~)?\s*(?:#.*)?$/.test(rest);
  }
  return found || isBare;
}

/**
 * Whether a text calls commands where actions name them, or lists modules, whose commands have no prefix of ours: a
 * record or a report only speaks of commands. Takes time that grows with the text alone, for strangers write these.
 */
function isActionText(text: string): boolean {
  for (const { index } of text.matchAll(commandName)) if (isCalledAt(text, index)) return true;
  return listsModules(text);
}

/** Whether a name begins its line, or stands behind a mark of lists and mappings or behind `action:`. */
function isCalledAt(text: string, index: number): boolean {
  const start = /["']/.test(text.charAt(index - 1)) ? index - 1 : index;
  let at = start;
  while (at > 0 && /\s/.test(text.charAt(at - 1))) at -= 1;
  if (at === 0 || lineEnd.test(text.slice(at, start))) return true;
  return /(?:[[{,-]|\baction["']?:)$/.test(text.slice(Math.max(0, at - 10), at));
}

function listsModules(text: string): boolean {
  let meta = Number.NEGATIVE_INFINITY;
  for (const { 0: whole, 1: key, index } of text.matchAll(moduleKeys)) {
    if (key === 'meta') meta = index + whole.length;
    else if (index - meta <= NEAR) return true;
  }
  return false;
}
