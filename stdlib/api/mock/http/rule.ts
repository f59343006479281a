import * as fail from '#schemas/generated/failures.ts';

/** A route rule, read once. */
export interface Rule {
  readonly text: string;
  /** The rule without names: two rules with the same shape match the same paths. */
  readonly shape: string;
  /** Lower is more exact: parameters that take many segments, all parameters, and the text around them, negative. */
  readonly weight: readonly [paths: number, params: number, literal: number];
  /** Values of the parameters; undefined: the path does not fit. */
  match(path: string): Readonly<Record<string, string>> | undefined;
}

const kinds: Readonly<Record<string, string>> = {
  string: '[^/]+',
  int: '\\d+',
  float: '\\d+\\.\\d+',
  uuid: '[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}',
  path: '.+',
};
const parameter = /<(?:([a-z]+):)?([A-Za-z_]\w*)>|\{([A-Za-z_]\w*)\}/g;

/** Reads `/orders/<int:id>`; parameters are `<name>`, `<kind:name>` and `{name}`. */
export function parseRule(text: string): Rule {
  // No path begins otherwise: the route would never answer.
  if (!/^[/<{]/.test(text)) throw fail.mockRule({ rule: text, part: text.slice(0, 1) });
  const names: string[] = [];
  let pattern = '';
  let shape = '';
  let at = 0;
  let named = 0;
  let paths = 0;
  for (const match of text.matchAll(parameter)) {
    const literal = text.slice(at, match.index);
    const kind = match[1] ?? 'string';
    const name = match[2] ?? match[3] ?? '';
    const expression = kinds[kind];
    if (expression === undefined) throw fail.mockRule({ rule: text, part: match[0] });
    if ((literal === '' && at > 0) || names.includes(name)) throw fail.mockRule({ rule: text, part: match[0] });
    // Two of them could share the text between them in many ways.
    if (kind === 'path' && paths++ > 0) throw fail.mockRule({ rule: text, part: match[0] });
    names.push(name);
    pattern += `${literalPattern(literal, text)}(${expression})`;
    shape += `${literal}<${kind}>`;
    named += match[0].length;
    at = match.index + match[0].length;
  }
  pattern += literalPattern(text.slice(at), text);
  shape += text.slice(at);
  const expression = new RegExp(`^${pattern}$`, 's');
  return {
    text,
    shape,
    weight: [paths, names.length, named - text.length],
    match: (path) => {
      const found = expression.exec(path);
      if (!found) return undefined;
      const params: Record<string, string> = {};
      for (const [index, name] of names.entries()) params[name] = found[index + 1] ?? '';
      return params;
    },
  };
}

function literalPattern(literal: string, rule: string): string {
  const odd = /[<>{}?#]/.exec(literal);
  if (odd) throw fail.mockRule({ rule, part: odd[0] });
  return literal.replace(/[\\^$.*+()|[\]/-]/g, '\\$&');
}
