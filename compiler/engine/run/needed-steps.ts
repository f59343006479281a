import { storedNames } from '#compiler/phases/4-resolve/stored-names.ts';
import type { Node, Unit } from '#schemas/types/plan.ts';
import { blocksOf, eachReferenceAtEnd, everyNode, withBlocks, type StepBlock } from '#schemas/types/walk-nodes.ts';

/** Says of steps whether they were asked for. `holders`: the steps around one, the outermost first. */
export type Asked = (node: Node, holders: readonly Node[]) => boolean;

/**
 * The steps of a body that run when only some are wanted, those inside others too: the wanted ones with all that they
 * hold, the steps around them, what they depend on by name, and in a list the steps before them that make a variable or
 * a session that they use, and those inside that make what a step around them reads when its block has run. Blocks that
 * run on every path, and the setup of a file that is used, run with their holder.
 */
export function neededSteps({ body, order }: Unit, isWanted: Asked, isExcluded: Asked): ReadonlySet<string> {
  const needed = new Set<string>();
  takeList(body, order.kind === 'graph', [], { needed, isWanted, isExcluded });
  return needed;
}

/** Steps without those inside them that do not run. */
export function pruned(nodes: readonly Node[], isKept: (id: string) => boolean): readonly Node[] {
  return nodes
    .filter(({ id }) => isKept(id))
    .map((node) => (blocksOf(node).length === 0 ? node : withBlocks(node, (inner) => pruned(inner, isKept))));
}

interface Taking {
  readonly needed: Set<string>;
  readonly isWanted: Asked;
  readonly isExcluded: Asked;
}

/** Takes what is needed of a list; yields whether anything is. */
function takeList(nodes: readonly Node[], isGraph: boolean, holders: readonly Node[], taking: Taking): boolean {
  const { needed, isWanted, isExcluded } = taking;
  const holder = holders.at(-1);
  const index = new Map(nodes.map((node, at) => [node.id, at]));
  const waiting: Node[] = [];
  for (const node of nodes) {
    if (isExcluded(node, holders)) continue;
    if (isWanted(node, holders)) takeWhole(node, holders, taking);
    else if (!takeInside(node, holders, taking)) continue;
    waiting.push(node);
  }
  const isAny = waiting.length > 0;
  if (isAny && holder !== undefined)
    for (const node of providersOf(readAtEnd(holder), nodes)) {
      if (isExcluded(node, holders)) continue;
      takeWhole(node, holders, taking);
      waiting.push(node);
    }
  const seen = new Set<string>();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen.has(node.id)) continue;
    seen.add(node.id);
    const named = (node.after ?? []).flatMap((id) => nodes[index.get(id) ?? -1] ?? []);
    const earlier = isGraph ? [] : makers(node, nodes.slice(0, index.get(node.id) ?? 0), needed);
    for (const other of [...named, ...earlier]) {
      if (seen.has(other.id) || isExcluded(other, holders)) continue;
      takeWhole(other, holders, taking);
      waiting.push(other);
    }
  }
  return isAny;
}

function takeWhole(node: Node, holders: readonly Node[], taking: Taking): void {
  taking.needed.add(node.id);
  const inside = [...holders, node];
  for (const block of blocksOf(node))
    for (const inner of block.nodes) if (!taking.isExcluded(inner, inside)) takeWhole(inner, inside, taking);
}

function takeInside(node: Node, holders: readonly Node[], taking: Taking): boolean {
  const inside = [...holders, node];
  const isGraph = node.kind === 'use' && node.order.kind === 'graph';
  const blocks = blocksOf(node);
  const isAny = blocks
    .filter((block) => !isAlways(block, node))
    .map(({ nodes }) => takeList(nodes, isGraph, inside, taking))
    .some(Boolean);
  if (!isAny) return false;
  taking.needed.add(node.id);
  for (const block of blocks.filter((each) => isAlways(each, node)))
    for (const inner of block.nodes) if (!taking.isExcluded(inner, inside)) takeWhole(inner, inside, taking);
  return true;
}

function isAlways({ parameter }: StepBlock, { kind }: Node): boolean {
  return (kind === 'group' && parameter === 'always') || (kind === 'use' && parameter !== 'body');
}

function makers(node: Node, earlier: readonly Node[], needed: ReadonlySet<string>): readonly Node[] {
  const running = everyNode([node]).filter(({ id }) => needed.has(id));
  const uses = new Set(running.flatMap((each) => each.uses ?? []));
  return providersOf(uses, earlier);
}

function providersOf(uses: ReadonlySet<string>, nodes: readonly Node[]): readonly Node[] {
  if (uses.size === 0) return [];
  return nodes.filter((node) => everyNode([node]).some(({ provides }) => provides?.some((made) => uses.has(made))));
}

/** Variables that a step reads when the steps inside it have run. */
function readAtEnd(holder: Node): ReadonlySet<string> {
  const read = new Set<string>();
  eachReferenceAtEnd(holder, (ref) => {
    if (ref.ns === 'var') for (const name of storedNames(ref)) read.add(`variable:${name}`);
  });
  return read;
}
