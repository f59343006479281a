import { parseAst } from 'rolldown/parseAst';

/** A small change that should make some test fail. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: string;
}

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>;

const OTHER: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
};

/** Kinds of nodes that are no behaviour: types, names of modules, switches of the bundler. */
const LEFT = /^TS(?!AsExpression|NonNull|SatisfiesExpression)|^Import|^Export(?:All)|^MetaProperty/;

/** Every change of one file: conditions, operators, literals, removed calls, other bounds. */
export function mutantsOf(text: string): readonly Mutant[] {
  const mutants: Mutant[] = [];
  const visit = (node: Node): void => {
    if (LEFT.test(node.type)) return;
    // The bundler decides these; a test of the sources does not meet the other side.
    if (node.type === 'IfStatement' && text.slice(node.start, node.end).startsWith('if (import.meta')) return;
    mutants.push(...mutantsAt(node, text));
    for (const [key, value] of Object.entries(node)) {
      if ((node.type === 'Property' || node.type === 'PropertyDefinition') && key === 'key') continue;
      for (const part of Array.isArray(value) ? value : [value]) if (isNode(part)) visit(part);
    }
  };
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node);
  return mutants;
}

function mutantsAt(node: Node, text: string): readonly Mutant[] {
  const of = (part: Node): string => text.slice(part.start, part.end);
  const change = (kind: string, part: Node, by: string): Mutant => ({
    start: part.start,
    end: part.end,
    text: by,
    kind,
  });
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return operators(node, text);
    case 'ConditionalExpression':
    case 'IfStatement': {
      const test = node['test'] as Node;
      return [change('condition', test, `(true || ${of(test)})`), change('condition', test, `(false && ${of(test)})`)];
    }
    case 'UnaryExpression':
      return node['operator'] === '!' ? [change('not', node, `(${of(node['argument'] as Node)})`)] : [];
    case 'Literal':
      return literals(node);
    case 'ExpressionStatement': {
      const call = node['expression'] as Node;
      const called = call.type === 'AwaitExpression' ? (call['argument'] as Node) : call;
      const isSuper = called.type === 'CallExpression' && (called['callee'] as Node).type === 'Super';
      return called.type === 'CallExpression' && !isSuper ? [change('removed call', node, ';')] : [];
    }
    default:
      return [];
  }
}

function operators(node: Node, text: string): readonly Mutant[] {
  const [left, right, operator] = [node['left'] as Node, node['right'] as Node, String(node['operator'])];
  if (operator === '??') return [{ start: left.end, end: node.end, text: '', kind: 'operator' }];
  const other = OTHER[operator];
  const joins = operator === '+' && [left, right].some(({ type }) => type === 'Literal' || type === 'TemplateLiteral');
  if (other === undefined || joins) return [];
  const at = left.end + text.slice(left.end, right.start).indexOf(operator);
  return [{ start: at, end: at + operator.length, text: other, kind: 'operator' }];
}

function literals(node: Node): readonly Mutant[] {
  const { value } = node;
  const by =
    typeof value === 'boolean'
      ? String(!value)
      : typeof value === 'number'
        ? String(value + 1)
        : typeof value === 'string' && value !== ''
          ? "''"
          : undefined;
  return by === undefined ? [] : [{ start: node.start, end: node.end, text: by, kind: 'literal' }];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
