import { isObject, pointerKeys, type Json } from '#schemas/types/json.ts';
import { tellsOfSecret } from '#schemas/types/secret-key.ts';

interface Finding {
  /** JSON pointer into the value. */
  readonly at: string;
  /** JSON pointer into the schema. */
  readonly rule: string;
  readonly message: string;
}

/** Findings that a message lists. */
const SHOWN = 20;
/** Characters of a value that a line shows. */
const SHOWN_CHARACTERS = 60;
/** Keywords of which one says in one line what each of its schemas lacks. */
const FORMS = /\/(?:anyOf|oneOf)$/;
/** Keywords that judge the value itself, not what is in it. */
const OF_THE_VALUE =
  /\/(?:type|enum|const|format|pattern|multipleOf|(?:exclusive)?(?:minimum|maximum)|(?:min|max)Length|not|anyOf|oneOf)$/i;

/** Number of findings, and a line for each of the first; alternatives of one keyword are one finding. */
export function schemaLines(
  findings: readonly Finding[],
  value: Json,
): { readonly places: string; readonly findings: string } {
  const told = folded(findings);
  const lines = told.slice(0, SHOWN).map((finding) => `\n- ${lineOf(finding, value)}`);
  const more = told.length - lines.length;
  return {
    places: told.length === 1 ? '1 place' : `${told.length} places`,
    findings: `${lines.join('')}${more > 0 ? `\n- … ${more} more` : ''}`,
  };
}

function lineOf({ at, rule, message }: Finding, value: Json): string {
  const keys = pointerKeys(at);
  const there = OF_THE_VALUE.test(rule) && !keys.some(tellsOfSecret) ? shownAt(value, keys) : undefined;
  return `${at === '' ? 'the root' : at} ${plain(message)}${there === undefined ? '' : `, but it is ${there}`}`;
}

/** The words of the validators, where they are not those of people. */
function plain(message: string): string {
  return message
    .replace(/^must be (\w+(?:,\w+)+)$/, (_, types: string) => `must be ${types.replaceAll(',', ' or ')}`)
    .replace('must NOT be valid', 'must not fit the schema of "not"')
    .replace(/items ## (\d+) and (\d+) are identical/, 'items $1 and $2 are equal')
    .replace(/ valid item\(s\)$/, ' items that fit "contains"')
    .replace(/^must match exactly one schema in oneOf$/, 'must match exactly one schema in oneOf, not several')
    .replace('must NOT', 'must not');
}

/** Findings of the schemas of an `anyOf` or `oneOf` go into the finding of that keyword at the same value. */
function folded(findings: readonly Finding[]): readonly Finding[] {
  const forms = new Map<string, string[]>();
  for (const { at, rule } of findings) if (FORMS.test(rule)) forms.set(`${rule} ${at}`, []);
  const left = forms.size === 0 ? findings : findings.filter((finding) => !isTaken(finding, forms));
  return left.map((finding) => {
    const lacks = forms.get(`${finding.rule} ${finding.at}`) ?? [];
    return lacks.length === 0
      ? finding
      : { ...finding, message: `${finding.message} (${lacks.map(plain).join('; ')})` };
  });
}

function isTaken({ at, rule, message }: Finding, forms: ReadonlyMap<string, string[]>): boolean {
  for (const { index } of rule.matchAll(/\/(?:anyOf|oneOf)(?=\/)/g)) {
    const form = rule.slice(0, rule.indexOf('/', index + 1));
    const lacks = forms.get(`${form} ${at}`);
    lacks?.push(message);
    if (lacks) return true;
  }
  return false;
}

function shownAt(value: Json, keys: readonly string[]): string | undefined {
  let here: Json | undefined = value;
  for (const key of keys)
    here = Array.isArray(here) ? (here as readonly Json[])[Number(key)] : isObject(here) ? here[key] : undefined;
  if (here === undefined) return undefined;
  if (Array.isArray(here)) return here.length === 0 ? 'an empty list' : 'a list';
  if (isObject(here)) return Object.keys(here).length === 0 ? 'an empty object' : 'an object';
  const text = JSON.stringify(here);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS - 1)}…` : text;
}
