/**
 * Matcher of names for a shell glob: `*` any run of characters, `?` one, `[abc]`, `[a-z]` and `[!a-z]` one of a
 * set. A bracket without its end stands for itself. A leading dot needs no special mention. Takes time of at
 * most name × pattern.
 */
export function globMatcher(pattern: string): (name: string) => boolean {
  if (oneStar.test(pattern)) return endsMatcher(pattern);
  const tokens = tokensOf([...pattern]);
  // Most names of a folder are told by their ends: the literal text behind the last sign of the glob.
  const end = /[^*?[\]]*$/.exec(pattern)?.[0] ?? '';
  return (name) => name.endsWith(end) && fits([...name], tokens);
}

/**
 * Matcher of paths for a glob of parts with slashes between them: each part stands for one name, `**` for any number
 * of folders. It looks at the last names of a path, at all of them where the glob begins with a slash.
 */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const parts = pattern.split('/');
  if (parts.length === 1) {
    const fitsName = globMatcher(pattern);
    return (path) => fitsName(path.slice(path.lastIndexOf('/') + 1));
  }
  const tokens = (parts[0] === '' ? parts.slice(1) : ['**', ...parts]).map((part) =>
    part === '**' ? 'any' : globMatcher(part),
  );
  // `a/**` fits the content of `a`, and not `a` itself.
  if (parts.at(-1) === '**') tokens.push(() => true);
  return (path) => fits(path.split('/'), tokens);
}

/** Whether one name fits a shell glob; `globMatcher` is for many. */
export function matchesGlob(name: string, pattern: string): boolean {
  return globMatcher(pattern)(name);
}

/** One star among letters: what most patterns are. */
const oneStar = /^[^*?[\ud800-\udfff]*\*[^*?[\ud800-\udfff]*$/;

function endsMatcher(pattern: string): (name: string) => boolean {
  const [start = '', end = ''] = pattern.split('*');
  return (name) => name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
}

/** Whether characters of a name, or names of a path, are those that the tokens want. */
function fits(characters: readonly string[], tokens: readonly Token[]): boolean {
  let at = 0;
  let token = 0;
  let star = -1;
  let mark = 0;
  while (at < characters.length) {
    const current = tokens[token];
    if (current === 'any') {
      star = token;
      mark = at;
      token += 1;
    } else if (current !== undefined && current(characters[at] ?? '')) {
      at += 1;
      token += 1;
    } else if (star >= 0) {
      // The last star takes one character more, and all behind it is tried again.
      mark += 1;
      at = mark;
      token = star + 1;
    } else {
      return false;
    }
  }
  return tokens.slice(token).every((rest) => rest === 'any');
}

type Token = 'any' | ((character: string) => boolean);

function tokensOf(pattern: readonly string[]): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? '';
    const end = character === '[' ? setEnd(pattern, at) : -1;
    if (character === '*') tokens.push('any');
    else if (character === '?') tokens.push(() => true);
    else if (end > 0) tokens.push(setToken(pattern.slice(at + 1, end)));
    else tokens.push((other) => other === character);
    if (end > 0) at = end;
  }
  return tokens;
}

/** The place of the bracket that closes a set; -1 without one. One that stands first is part of the set. */
function setEnd(pattern: readonly string[], open: number): number {
  const first = pattern[open + 1] === '!' ? open + 2 : open + 1;
  return pattern.indexOf(']', first + 1);
}

function setToken(content: readonly string[]): Token {
  const isNegated = content[0] === '!';
  const members = isNegated ? content.slice(1) : content;
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const from = members[at] ?? '';
    const to = members[at + 1] === '-' ? members[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return (character) => ranges.some(([from, to]) => character >= from && character <= to) !== isNegated;
}
