import type { ConditionTree } from '#schemas/types/condition-tree.ts';
import { quote } from '#grammar/language/quoted.ts';
import { printPath, printReference } from '#grammar/reference/print.ts';

/**
 * A condition as text, with the parentheses that it needs and no others: `parseCondition` reads the same tree from it.
 */
export function printCondition(tree: ConditionTree): string {
  return print(tree, 0);
}

/** Binding strength of each kind; an operand that binds less is put in parentheses. */
function strength(tree: ConditionTree): number {
  switch (tree.kind) {
    case 'or':
      return 1;
    case 'and':
      return 2;
    case 'not':
      return 3;
    case 'compare':
      return 4;
    case 'literal':
    case 'reference':
    case 'regex':
    case 'list':
    case 'object':
    case 'call':
      return 5;
  }
}

function print(tree: ConditionTree, least: number): string {
  const text = printBare(tree);
  return strength(tree) < least ? `(${text})` : text;
}

function printBare(tree: ConditionTree): string {
  switch (tree.kind) {
    case 'literal':
      return printLiteral(tree.value);
    case 'list':
      return `[${tree.items.map((item) => print(item, 5)).join(', ')}]`;
    case 'object':
      return `{${tree.entries.map(([key, value]) => `${quote(key)}: ${print(value, 5)}`).join(', ')}}`;
    case 'regex':
      return `/${tree.pattern}/${tree.flags}`;
    case 'reference':
      return printOperand(tree);
    // The operand of a negation must bind tighter than a comparison: `!a == b` is refused as ambiguous.
    case 'not':
      return `!${print(tree.operand, tree.operand.kind === 'not' ? 3 : 5)}`;
    // Both operators group to the left.
    case 'or':
      return `${print(tree.left, 1)} || ${print(tree.right, 2)}`;
    case 'and':
      return `${print(tree.left, 2)} && ${print(tree.right, 3)}`;
    case 'compare':
      return `${print(tree.left, 5)} ${tree.operator} ${print(tree.right, 5)}`;
    case 'call':
      return `${tree.name}(${tree.args.map((arg) => print(arg, 0)).join(', ')})`;
  }
}

function printLiteral(value: null | boolean | number | string): string {
  if (typeof value === 'string') return quote(value);
  return Object.is(value, -0) ? '-0' : String(value);
}

const RESERVED = ['true', 'false', 'null', 'not'];

/** A variable is written as a bare path where that reads as one. */
function printOperand({ ref }: ConditionTree & { readonly kind: 'reference' }): string {
  const isPath = ref.ns === 'var' && ref.convert === undefined && ref.default === undefined;
  if (!isPath) return printReference(ref);
  const path = printPath([ref.name, ...(ref.path ?? [])]);
  return path.startsWith('[') || RESERVED.includes(path) ? printReference(ref) : path;
}
