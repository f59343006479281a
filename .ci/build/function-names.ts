import type { AnyNode, Identifier, PrivateIdentifier } from 'acorn';

import { childrenOf, isFunction, parsed } from './early-functions.ts';

/**
 * Names of the functions of a module by where they begin: the names around them, their own or that of what holds them,
 * and a number where several are alike. They stay when the text of a function or of another module changes.
 */
export function functionNames(text: string): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  const visit = (node: AnyNode, parent: AnyNode | undefined, around: string, alike: Map<string, number>): void => {
    const inside = { around, alike };
    if (isFunction(node)) {
      inside.around = `${around}${numbered(ownName(node, parent), alike)}`;
      inside.alike = new Map();
      // V8 has methods begin with their names.
      names.set(isMethod(parent) ? parent.start : node.start, inside.around);
      inside.around += '/';
    }
    for (const child of childrenOf(node)) visit(child, node, inside.around, inside.alike);
  };
  visit(parsed(text), undefined, '', new Map());
  return names;
}

function numbered(name: string, alike: Map<string, number>): string {
  const count = (alike.get(name) ?? 0) + 1;
  alike.set(name, count);
  return count === 1 ? name : `${name}#${count}`;
}

function ownName(node: AnyNode, parent: AnyNode | undefined): string {
  if ('id' in node && node.id?.type === 'Identifier') return node.id.name;
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name;
  const isHeld = parent?.type === 'Property' || parent?.type === 'PropertyDefinition' || isMethod(parent);
  return isHeld && isPlainKey(parent.key) ? parent.key.name : '=>';
}

function isPlainKey(key: AnyNode): key is Identifier | PrivateIdentifier {
  return key.type === 'Identifier' || key.type === 'PrivateIdentifier';
}

function isMethod(node: AnyNode | undefined): node is AnyNode & { readonly key: AnyNode } {
  return node?.type === 'MethodDefinition' || (node?.type === 'Property' && (node.method || node.kind !== 'init'));
}
