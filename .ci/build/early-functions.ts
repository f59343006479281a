import type { AnyNode, ArrowFunctionExpression, FunctionDeclaration, FunctionExpression, Property } from 'acorn';
import { parse } from 'acorn';
import MagicString from 'magic-string';

type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunctionExpression;

/**
 * Writes an ES module so that V8 compiles the functions that begin at `called` (offsets in `text`) together with the
 * module, by the parentheses that it takes for "called at once". Only what is compiled by then gets into the cache that
 * Node keeps of a module: any other function is compiled anew in each process. Behaviour stays: declarations move to
 * the beginning of their scope, where they were hoisted to. Methods of classes cannot be told and stay as they are.
 */
export function compileEarly(text: string, called: ReadonlySet<number>): string {
  const edited = new MagicString(text);
  const visit = (node: AnyNode, parent: AnyNode | undefined): void => {
    if (isShorthand(node) && called.has(node.start)) spellOut(edited, text, node);
    else if (isValue(node, parent) && called.has(node.start)) enclose(edited, node);
    for (const child of childrenOf(node)) visit(child, node);
    const begin =
      bodyOf(node)
        ?.filter(isDeclaration)
        .filter(({ start }) => called.has(start)) ?? [];
    if (begin.length > 0) hoist(edited, begin, beginOf(node));
  };
  visit(parsed(text), undefined);
  return edited.toString();
}

/** Tree of an ES module. */
export function parsed(text: string): AnyNode {
  return parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
}

/** Whether it is a function in the place of a value, rather than that of a method. */
function isValue(node: AnyNode, parent: AnyNode | undefined): node is FunctionNode {
  if (node.type === 'ArrowFunctionExpression') return true;
  if (node.type !== 'FunctionExpression' || parent?.type === 'MethodDefinition') return false;
  return !(parent?.type === 'Property' && (parent.method || parent.kind !== 'init'));
}

/** Whether it is a method that an object could as well hold as a value: `super` means something in methods alone. */
function isShorthand(node: AnyNode): node is Property {
  return node.type === 'Property' && node.method && !mentionsSuper(node.value);
}

function mentionsSuper(node: AnyNode): boolean {
  return node.type === 'Super' || childrenOf(node).some(mentionsSuper);
}

function isDeclaration(node: AnyNode): node is FunctionDeclaration {
  return node.type === 'FunctionDeclaration';
}

/** Statements of a scope in which function declarations are hoisted. */
function bodyOf(node: AnyNode): readonly AnyNode[] | undefined {
  if (node.type === 'Program') return node.body;
  return isFunction(node) && node.body.type === 'BlockStatement' ? node.body.body : undefined;
}

/** Whether it is a function of any form; that of a method is its value. */
export function isFunction(node: AnyNode): node is FunctionNode {
  return /^(?:Function|ArrowFunction)/.test(node.type);
}

/** Beginning of the statements of a scope: behind imports and directives. */
function beginOf(node: AnyNode): number {
  const statements = bodyOf(node) ?? [];
  const before = statements.filter((each) => each.type === 'ImportDeclaration' || 'directive' in each).at(-1);
  return before?.end ?? (isFunction(node) ? node.body.start + 1 : node.start);
}

function hoist(edited: MagicString, declarations: readonly FunctionDeclaration[], begin: number): void {
  for (const { id, start, end } of declarations) {
    edited.prependRight(start, `;var ${id.name}=(`).appendLeft(end, ');');
    if (start !== begin) edited.move(start, end, begin);
  }
}

function enclose(edited: MagicString, { start, end }: AnyNode): void {
  edited.prependRight(start, '(').appendLeft(end, ')');
}

function spellOut(edited: MagicString, text: string, { key, value, computed, start, end }: Property): void {
  if (!isFunction(value)) return;
  const name = text.slice(key.start, key.end);
  const kind = `${value.async ? 'async ' : ''}function${value.generator ? '*' : ''}`;
  edited.overwrite(start, value.start, `${computed ? `[${name}]` : name}:(${kind}`).appendLeft(end, ')');
}

/** Nodes right below it, in the order of the text. */
export function childrenOf(node: AnyNode): readonly AnyNode[] {
  return Object.values(node)
    .flat()
    .filter((value): value is AnyNode => typeof value === 'object' && value !== null && typeof value.type === 'string');
}
