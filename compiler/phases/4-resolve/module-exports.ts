/** A file of this size is no hand-written module: its exports are left to the run. */
export const LARGEST_MODULE = 1024 * 1024;

/** An `export` with the text before a statement: the beginning, the end of another one, or of a comment. */
const EXPORT = /(?:^|[\n;}]|\*\/)[ \t]*export\b/g;
const NAMED =
  /^\s+(?:declare\s+)?(?:(?:async\s+)?function\s*\*?|(?:abstract\s+)?class|const\s+enum|enum|const|let|var)\s+(?<name>[A-Za-z_$][\w$]*)/;
const LIST = /^\s*\{(?<list>[^}]*)\}/;
const NAMESPACE = /^\s*\*\s*as\s+(?<name>[A-Za-z_$][\w$]*)/;
const DEFAULT_FUNCTION = /^\s+default\s+(?:async\s+)?(?:function|class)\b/;
const TYPE_ONLY = /^\s+(?:declare\s+)?(?:type|interface|namespace|module)\b(?!\s*[=(])/;
/** There may be several names in one declaration, of which only the first would be seen. */
const SEVERAL = /^\s+(?:const|let|var)\s+(?:[{[]|[^=\n;]*,|[^\n;]*,(?:\r?\n|\s*[A-Za-z_$][\w$]*\s*=(?![=>])))/;
const COMMON_JS = /\bmodule\s*\.\s*exports\b|\bexports\s*[.[]/;

/**
 * The names that a module exports, told from its text: nothing of it is run. Undefined where the text alone does not
 * tell them all: what is passed on from others, an object as default export, CommonJS. Names that only a long comment
 * or a text exports may be among them; none that is exported is missing.
 */
export function exportedNames(text: string): readonly string[] | undefined {
  if (COMMON_JS.test(text)) return undefined;
  const names = new Set<string>();
  for (const match of text.matchAll(EXPORT)) {
    const found = namesOf(text.slice(match.index + match[0].length));
    if (found === undefined) return undefined;
    for (const name of found) names.add(name);
  }
  return [...names].sort();
}

function namesOf(rest: string): readonly string[] | undefined {
  if (SEVERAL.test(rest)) return undefined;
  const name = (NAMED.exec(rest) ?? NAMESPACE.exec(rest))?.groups?.['name'];
  if (name !== undefined) return [name];
  if (DEFAULT_FUNCTION.test(rest)) return ['default'];
  if (TYPE_ONLY.test(rest)) return [];
  const list = LIST.exec(rest)?.groups?.['list'];
  return list?.split(',').flatMap(listed);
}

/** `order`, `order as buy`, `type Order`. */
function listed(entry: string): readonly string[] {
  const name = /(?:\bas\s+)?(?<name>[A-Za-z_$][\w$]*)\s*$/.exec(entry)?.groups?.['name'];
  return name === undefined || /^\s*type\s+\w/.test(entry) ? [] : [name];
}
