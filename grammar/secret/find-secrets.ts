import { signedTokens, urlPasswordSpans } from '#schemas/types/secret-forms.ts';

import { anyForm, oneForm, type FormRule } from './forms.ts';
import { looksRandom } from './randomness.ts';
import { aroundRuns, aroundWords, nextRun, wordsWithRuns } from './windows.ts';

export type SecretRule =
  | FormRule
  | 'jwt'
  | 'url_password'
  | 'authorization'
  | 'assigned_secret'
  | 'password_literal'
  | 'suspicious_key_high_entropy';

/** A part of a text that looks like a secret; offsets are UTF-16 units, `end` is behind it. */
export interface FoundSecret {
  readonly rule: SecretRule;
  readonly start: number;
  readonly end: number;
}

/** Words that name a secret, and those behind which a name is no longer one: `password_field`, `token_url`. */
const SECRET_NAME = /password|passwd|passphrase|secret|token|api[-_]?key|private[-_]?key|access[-_]?key|credential/i;
const PASSWORD_NAME = /password|passwd|passphrase/i;
const NAMES_A_PLACE =
  /(?:field|selector|locator|label|name|url|uri|path|file|dir|type|id|length|size|policy|rules?|hint|placeholder|title|text|input|button|xpath|css|count|limit|min|max|expires?(?:_?(?:in|at))?|ttl|env|header|prefix|suffix|format|algorithm|issuer|scopes?|status|visible|required|enabled|manager|strength|endpoint|regex|pattern)s?$/i;

/** References are filled elsewhere. */
const REFERENCE = /\$\{|\{\{|%[({]|<%|(?<![\w$])\$[A-Z_]+\b/;
/** Texts that stand for a secret in examples: nobody can use them. */
const PLACEHOLDER =
  /^(?:[x*.•_-]+|<[^>]*>|\[[^\]]*\]|your[-_ ].*|.*\b(?:placeholder|redacted|hidden|masked)\b.*|null|none|undefined|true|false)$/i;

const ASSIGNED =
  /\b([\w-]{0,40}(?:password|passwd|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credential)[\w-]{0,20})["']?\s{0,3}[:=]\s{0,3}["']?([^\s"'`,;(){}<>]{8,200})/gi;
const ASSIGNED_WORD = /passw|pwd|secret|token|key|credential/gi;
const AUTHORIZATION = /\b(?:Bearer|Basic|token)\s+([\w+/=.~-]{16,})/gi;

/** Pieces of which every form has one that has no run of the signs of tokens, as `nextRun` knows them. */
const WITHOUT_RUN = /hooks\.|webhook|-----BEGIN|whsec_|pscale_|FlyV1 |AccountKey=|ATATT3/;
/** Words of which one stands in front of every secret without a form: most texts have none. */
const OF_WORDS = /password|passwd|pwd|secret|token|key|credential|bearer|basic/i;

/** Texts shorter than this hold none, but for passwords under their name. */
const SHORTEST = 12;

/** Whether a text may hold a secret, whatever its name: most do not, and this is told quickly. */
function mayHoldSecret(text: string): boolean {
  return text.length >= SHORTEST && (hasForm(text) || hasWord(text));
}

/**
 * The same for the texts of a file: of one without a word of secrets only texts with a run of signs may hold one, and
 * only where one of its own runs has a form. Where the file has escapes, its texts may hold words that it does not.
 * Undefined: none of its texts holds one.
 */
export function mayHoldSecretIn(file: string): ((text: string) => boolean) | undefined {
  const isWordless = !file.includes('\\') && !hasWord(file) && !hasOtherForm(file);
  if (!isWordless) return mayHoldSecret;
  return hasFormInRuns(file) ? hasRun : undefined;
}

/** Whether a form stands around a run of a file's signs. Forms that have a run hold neither blanks nor quotes. */
function hasFormInRuns(file: string): boolean {
  // Names of commands and keys make most runs of a long file.
  const known = new Set<string>();
  for (const { start, end } of wordsWithRuns(file)) {
    const word = file.slice(start, end);
    if (known.has(word)) continue;
    known.add(word);
    if (oneForm.test(word)) return true;
  }
  return false;
}

function hasWord(text: string): boolean {
  return OF_WORDS.test(text) || text.includes('@');
}

/**
 * Secrets in a text, in the order in which they stand; `key` is the name under which it stands. Known forms count
 * wherever they are; under a name such as `api_token` a text that looks drawn by a machine, under one such as
 * `password` any literal, unless it is a sentence about passwords.
 */
export function findSecrets(text: string, key?: string): readonly FoundSecret[] {
  const named = key === undefined ? undefined : underKey(text, key);
  if (!mayHoldSecret(text)) return named ? [named] : [];
  const hasWord = OF_WORDS.test(text);
  const found = [
    ...(hasForm(text) ? [...formsIn(text), ...tokensIn(text)] : []),
    ...passwordsIn(text),
    ...(hasWord ? [...authorizations(text), ...assigned(text)] : []),
  ];
  const apart = withoutOverlaps(found);
  return named && !apart.some(({ start, end }) => start === 0 && end === text.length) ? [named, ...apart] : apart;
}

function underKey(text: string, key: string): FoundSecret | undefined {
  if (!SECRET_NAME.test(key) || NAMES_A_PLACE.test(key) || text === '' || isFilledElsewhere(text)) return undefined;
  const whole = { start: 0, end: text.length };
  if (looksRandom(text)) return { rule: 'suspicious_key_high_entropy', ...whole };
  return PASSWORD_NAME.test(key) && !speaksOfPasswords(text) ? { rule: 'password_literal', ...whole } : undefined;
}

/** Whether a text is a sentence about passwords, as labels and messages are. A passphrase of several words is none. */
function speaksOfPasswords(text: string): boolean {
  return /\s\S*\s/.test(text) && /\b(?:pass(?:word|wd|phrase)|character)s?\b/i.test(text);
}

function isFilledElsewhere(text: string): boolean {
  return REFERENCE.test(text) || PLACEHOLDER.test(text);
}

/** Whether a text holds a piece that every form has. */
function hasForm(text: string): boolean {
  return hasRun(text) || hasOtherForm(text);
}

function hasRun(text: string): boolean {
  return nextRun(text, 0) >= 0;
}

function hasOtherForm(text: string): boolean {
  return text.includes('eyJ') || WITHOUT_RUN.test(text);
}

function* formsIn(text: string): Generator<FoundSecret> {
  for (const { start, end } of WITHOUT_RUN.test(text) ? [{ start: 0, end: text.length }] : aroundRuns(text)) {
    const part = text.slice(start, end);
    // Nearly no part has one, and telling so takes a tenth of the time of looking for all.
    if (!oneForm.test(part)) continue;
    for (const match of part.matchAll(anyForm)) {
      const rule = Object.entries(match.groups ?? {}).find(([, group]) => group !== undefined)?.[0];
      const from = start + match.index;
      yield { rule: rule as FormRule, start: from, end: from + match[0].length };
    }
  }
}

function* tokensIn(text: string): Generator<FoundSecret> {
  if (text.includes('eyJ')) for (const span of signedTokens(text)) yield { rule: 'jwt', ...span };
}

function* passwordsIn(text: string): Generator<FoundSecret> {
  for (const { start, end } of urlPasswordSpans(text))
    if (!isFilledElsewhere(text.slice(start, end))) yield { rule: 'url_password', start, end };
}

function* authorizations(text: string): Generator<FoundSecret> {
  for (const match of text.matchAll(AUTHORIZATION)) {
    const [whole, value = ''] = match;
    if (looksRandom(value)) yield { rule: 'authorization', ...behind(match.index, whole, value) };
  }
}

function* assigned(text: string): Generator<FoundSecret> {
  for (const { start, end } of aroundWords(text, ASSIGNED_WORD)) {
    for (const match of text.slice(start, end).matchAll(ASSIGNED)) {
      const [whole, name = '', value = ''] = match;
      if (!NAMES_A_PLACE.test(name) && !isFilledElsewhere(value) && looksRandom(value))
        yield { rule: 'assigned_secret', ...behind(start + match.index, whole, value) };
    }
  }
}

function behind(index: number, whole: string, value: string): { readonly start: number; readonly end: number } {
  const end = index + whole.length;
  return { start: end - value.length, end };
}

/**
 * Secrets in order; of two that share characters the one that begins first, else the one of the surer rule,
 * which was found first.
 */
function withoutOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  let end = 0;
  return found
    .toSorted((one, other) => one.start - other.start)
    .filter((secret) => {
      if (secret.start < end) return false;
      end = secret.end;
      return true;
    });
}
