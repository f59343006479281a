import { parseAst } from 'rolldown/parseAst';

/** A small change that should make some test fail. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: string;
  /** Expression or statement around the change that can be chosen while the code runs, with the change made. */
  readonly around: { readonly start: number; readonly end: number; readonly isStatement: boolean };
  /** Code outside functions runs once, when its module is loaded. */
  readonly isAtLoad: boolean;
}

export type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>;

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

/** Names of values that are read by people alone: a test does not hold wording. */
const WORDING = /^(?:what|why|reason|title|summary|help|description|message)$/;

/** Constants that are a time: one more or less is not seen. */
const TIME = /(?:_MS|_S|SECONDS|(?:^|_)(?:PAUSE|WAIT|INTERVAL|TIMEOUT|DELAY))$/;

/** A number of which one more is not seen becomes 0. */
const LARGE = 1000;

/** Every change of one file that a test could see: conditions, operators, literals, removed calls, other bounds. */
export function mutantsOf(text: string): readonly Mutant[] {
  const mutants: Mutant[] = [];
  walk(parse(text), text, (node, above, isAtLoad) =>
    mutants.push(...mutantsAt(node, above, text).map((mutant) => ({ ...mutant, isAtLoad }))),
  );
  return mutants;
}

/** Bodies of the functions of a file. */
export function bodiesOf(text: string): readonly Node[] {
  const bodies: Node[] = [];
  walk(parse(text), text, (node) => {
    const { body } = node;
    if (isFunction(node) && isNode(body)) bodies.push(body);
  });
  return bodies;
}

function parse(text: string): Node {
  return parseAst(text, { lang: 'ts' }) as unknown as Node;
}

function isFunction({ type }: Node): boolean {
  return /Function/.test(type);
}

type Visit = (node: Node, above: readonly Node[], isAtLoad: boolean) => void;

function walk(root: Node, text: string, seen: Visit): void {
  const visit = (node: Node, above: readonly Node[], isAtLoad: boolean): void => {
    if (LEFT.test(node.type) || isUnseen(node, above, text)) return;
    seen(node, above, isAtLoad);
    const isLater = isFunction(node) || (node.type === 'PropertyDefinition' && node['static'] !== true);
    for (const [key, value] of Object.entries(node)) {
      if ((node.type === 'Property' || node.type === 'PropertyDefinition') && key === 'key') continue;
      if (node.type === 'ExportNamedDeclaration' && key === 'source') continue;
      for (const part of Array.isArray(value) ? value : [value])
        if (isNode(part)) visit(part, [node, ...above], isAtLoad && !isLater);
    }
  };
  visit(root, [], true);
}

/** Wording, times, what the bundler decides: no test of behaviour meets them. */
function isUnseen(node: Node, above: readonly Node[], text: string): boolean {
  const [parent] = above;
  if (/^(?:If|Conditional|Logical)/.test(node.type) && /import\.meta\.\w*with/.test(headOf(node, text))) return true;
  if (node.type === 'Property' && WORDING.test(nameOf(node['key']))) return true;
  if (node.type === 'VariableDeclarator' && TIME.test(nameOf(node['id']))) return true;
  // The name of a command is there for its types.
  if (parent?.type === 'CallExpression' && nameOf(parent['callee']) === 'command' && isText(node)) return true;
  if (node.type === 'NewExpression' && nameOf(node['callee']).endsWith('Error')) return true;
  if (node.type === 'ConditionalExpression' && parent?.type === 'TemplateLiteral')
    return ['consequent', 'alternate'].every((side) => isText(node[side]));
  return isText(node) && /\p{L}[,:;]? \p{L}/u.test(String(node['value']));
}

function headOf(node: Node, text: string): string {
  const head = isNode(node['test']) ? node['test'] : node;
  return text.slice(head.start, head.end);
}

function nameOf(node: unknown): string {
  return isNode(node) ? String(node['name'] ?? '') : '';
}

function isText(node: unknown): boolean {
  return isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string';
}

type Change = Omit<Mutant, 'isAtLoad'>;

function mutantsAt(node: Node, above: readonly Node[], text: string): readonly Change[] {
  const of = (part: Node): string => text.slice(part.start, part.end);
  const change = (kind: string, part: Node, by: string): Change => ({
    start: part.start,
    end: part.end,
    text: by,
    kind,
    around: { start: part.start, end: part.end, isStatement: part.type === 'ExpressionStatement' },
  });
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return operators(node, text);
    case 'ConditionalExpression':
    case 'IfStatement': {
      const test = node['test'] as Node;
      const both = [true, false].filter((always) => !isTypeOnly(node, above, always));
      return both.map((always) =>
        change('condition', test, always ? `(true || ${of(test)})` : `(false && ${of(test)})`),
      );
    }
    case 'UnaryExpression':
      return node['operator'] === '!' ? [change('not', node, `(${of(node['argument'] as Node)})`)] : [];
    case 'Literal':
      return literals(node).map((by) => change('literal', node, by));
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

/** `...(x === undefined ? {} : { x })` is there for the types: `{ x: undefined }` is the same to its readers. */
function isTypeOnly(node: Node, [parent]: readonly Node[], always: boolean): boolean {
  if (parent?.type !== 'SpreadElement' || node.type !== 'ConditionalExpression') return false;
  const test = node['test'] as Node;
  const isAbsent = test['operator'] === '===' && nameOf(test['right']) === 'undefined';
  const isThere = test['operator'] === '!==' && nameOf(test['right']) === 'undefined';
  return always ? isThere : isAbsent;
}

function operators(node: Node, text: string): readonly Change[] {
  const [left, right, operator] = [node['left'] as Node, node['right'] as Node, String(node['operator'])];
  const around = { start: node.start, end: node.end, isStatement: false };
  if (operator === '??')
    return isChecked(left, right) ? [] : [{ start: left.end, end: node.end, text: '', kind: 'operator', around }];
  const other = OTHER[operator];
  const joins = operator === '+' && [left, right].some(({ type }) => type === 'Literal' || type === 'TemplateLiteral');
  if (other === undefined || joins) return [];
  const at = left.end + text.slice(left.end, right.start).indexOf(operator);
  return [{ start: at, end: at + operator.length, text: other, kind: 'operator', around }];
}

/** `list[0] ?? ''`, where the types do not know that there is a first one. */
function isChecked(left: Node, right: Node): boolean {
  const inner = left.type === 'ChainExpression' ? (left['expression'] as Node) : left;
  const index = inner['property'];
  const isByNumber = inner['computed'] === true && isNode(index) && typeof index['value'] === 'number';
  return isByNumber && right.type === 'Literal';
}

function literals(node: Node): readonly string[] {
  const { value } = node;
  if (typeof value === 'boolean') return [String(!value)];
  if (typeof value === 'number') return [String(value >= LARGE ? 0 : value + 1)];
  return typeof value === 'string' && value !== '' ? ["''"] : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
