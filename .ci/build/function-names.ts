import type { AnyNode } from 'acorn';
import { parse } from 'acorn';

/** A function of a module. */
export interface NamedFunction {
  /** Offset at which it begins, as V8 tells it. */
  readonly start: number;
  /** Names of the functions around it and its own, joined by `/`: a number where nothing names it. */
  readonly name: string;
}

/** All functions of an ES module with their names. */
export function namedFunctions(text: string): readonly NamedFunction[] {
  const found: NamedFunction[] = [];
  const visit = (node: AnyNode, parent: AnyNode | undefined, place: Place): void => {
    let inner: Place = { ...place, given: nameGiven(node) ?? place.given };
    if (isFunction(node)) {
      const name = `${place.around}${ownName(node) ?? place.given ?? String(place.unnamed.count++)}`;
      found.push({ start: isMethod(parent) ? parent.start : node.start, name });
      inner = { around: `${name}/`, given: undefined, unnamed: { count: 0 } };
    }
    for (const child of childrenOf(node)) visit(child, node, inner);
  };
  visit(parseModule(text), undefined, { around: '', given: undefined, unnamed: { count: 0 } });
  return found;
}

/** Surroundings of a node: the function that it stands in, and what names the value that it is. */
interface Place {
  readonly around: string;
  readonly given: string | undefined;
  /** Functions without a name in the function around it, so far. */
  readonly unnamed: { count: number };
}

export function parseModule(text: string): AnyNode {
  return parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
}

export function childrenOf(node: AnyNode): readonly AnyNode[] {
  return Object.values(node)
    .flat()
    .filter((value): value is AnyNode => typeof value === 'object' && value !== null && typeof value.type === 'string');
}

function isFunction(node: AnyNode): boolean {
  return /^(?:Function|ArrowFunction)/.test(node.type);
}

function isMethod(parent: AnyNode | undefined): parent is AnyNode {
  return (
    parent?.type === 'MethodDefinition' || (parent?.type === 'Property' && (parent.method || parent.kind !== 'init'))
  );
}

function ownName(node: AnyNode): string | undefined {
  return 'id' in node && node.id?.type === 'Identifier' ? withoutNumber(node.id.name) : undefined;
}

/** The name that a declaration, an assignment or a property gives to the value in it. */
function nameGiven(node: AnyNode): string | undefined {
  switch (node.type) {
    case 'VariableDeclarator':
      return nameIn(node.id);
    case 'AssignmentExpression':
    case 'AssignmentPattern':
      return nameIn(node.left);
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return nameIn(node.key);
    default:
      return undefined;
  }
}

function nameIn(node: AnyNode): string | undefined {
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return withoutNumber(node.name);
  if (node.type === 'Literal') return String(node.value);
  return node.type === 'MemberExpression' ? nameIn(node.property) : undefined;
}

/** A name without the number by which esbuild tells two of one name apart: it hangs on what else is in the file. */
function withoutNumber(name: string): string {
  return name.replace(/\d+$/, '');
}
