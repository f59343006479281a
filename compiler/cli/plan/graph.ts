import { printableLine } from '#grammar/source/printable.ts';
import type { Node, Plan, Unit } from '#schemas/types/plan.ts';
import { blocksOf, everyNode } from '#schemas/types/walk-nodes.ts';

interface Edge {
  readonly from: string;
  readonly to: string;
  /** The block that it leads into. */
  readonly label?: string;
}

interface Box {
  readonly id: string;
  readonly label: string;
}

interface Cluster {
  readonly source: string;
  readonly boxes: readonly Box[];
  readonly edges: readonly Edge[];
}

/**
 * Files as clusters, steps as boxes; in a list each step follows the one before it, and blocks hang on their holder by
 * name.
 */
function clusters(plan: Plan): readonly Cluster[] {
  let count = 0;
  return plan.units.map((unit) => {
    const nodes = [...unit.setup, ...unit.body, ...unit.teardown];
    const ids = new Map(everyNode(nodes).map((node) => [node.id, `n${(count += 1)}`]));
    const boxes = everyNode(nodes).map((node) => ({ id: ids.get(node.id) ?? '', label: labelOf(node, unit) }));
    const edges = [...edgesOf(unit, nodes, ids), ...nodes.flatMap((node) => blockEdges(node, ids))];
    return { source: unit.source, boxes, edges };
  });
}

function labelOf(node: Node, unit: Unit): string {
  const condition = 'condition' in node && node.name === undefined ? ` ${node.condition.source}` : '';
  return `${shortId(node, unit)} ${node.name ?? node.command}${condition}`;
}

function edgesOf(unit: Unit, nodes: readonly Node[], ids: ReadonlyMap<string, string>): readonly Edge[] {
  if (unit.order.kind === 'list') return inOrder(nodes, ids);
  return unit.body.flatMap((node) =>
    (node.after ?? []).flatMap((before) => {
      const from = ids.get(before) ?? ids.get(`${unit.source}#${before}`);
      return from === undefined ? [] : [{ from, to: ids.get(node.id) ?? '' }];
    }),
  );
}

function inOrder(nodes: readonly Node[], ids: ReadonlyMap<string, string>): readonly Edge[] {
  return nodes
    .slice(1)
    .map((node, index) => ({ from: ids.get(nodes[index]?.id ?? '') ?? '', to: ids.get(node.id) ?? '' }));
}

function blockEdges(node: Node, ids: ReadonlyMap<string, string>): readonly Edge[] {
  return blocksOf(node).flatMap(({ parameter, nodes }) => {
    const [first] = nodes;
    const entry = first && { from: ids.get(node.id) ?? '', to: ids.get(first.id) ?? '', label: parameter };
    return [...(entry ? [entry] : []), ...inOrder(nodes, ids), ...nodes.flatMap((inner) => blockEdges(inner, ids))];
  });
}

function shortId(node: Node, unit: Unit): string {
  return node.id.startsWith(unit.source) ? node.id.slice(unit.source.length) : node.id;
}

/** The plan's graph in the language of Mermaid. */
export function mermaid(plan: Plan): string {
  const lines = [
    'flowchart TD',
    ...clusters(plan).flatMap((cluster, index) => [
      `  subgraph u${index} [${quote(cluster.source)}]`,
      ...cluster.boxes.map((box) => `    ${box.id}[${quote(box.label)}]`),
      ...cluster.edges.map(({ from, to, label }) =>
        label === undefined ? `    ${from} --> ${to}` : `    ${from} -. ${quote(label)} .-> ${to}`,
      ),
      '  end',
    ]),
    ...unitEdges(plan, (from, to) => `  u${from} --> u${to}`),
  ];
  return `${lines.join('\n')}\n`;
}

function quote(text: string): string {
  return `"${printableLine(text).replaceAll('#', '#35;').replaceAll('"', '#quot;').replaceAll('<', '#lt;')}"`;
}

/** The plan's graph in the language of Graphviz. */
export function dot(plan: Plan): string {
  const all = clusters(plan);
  const lines = [
    'digraph plan {',
    '  compound=true; node [shape=box];',
    ...all.flatMap((cluster, index) => [
      `  subgraph cluster_${index} {`,
      `    label=${JSON.stringify(printableLine(cluster.source))};`,
      ...cluster.boxes.map((box) => `    ${box.id} [label=${JSON.stringify(printableLine(box.label))}];`),
      ...cluster.edges.map(({ from, to, label }) =>
        label === undefined
          ? `    ${from} -> ${to};`
          : `    ${from} -> ${to} [style=dashed, label=${JSON.stringify(printableLine(label))}];`,
      ),
      '  }',
    ]),
    ...unitEdges(plan, (from, to) => {
      const tail = all[from]?.boxes.at(-1)?.id;
      const head = all[to]?.boxes[0]?.id;
      return tail && head ? `  ${tail} -> ${head} [ltail=cluster_${from}, lhead=cluster_${to}];` : '';
    }),
    '}',
  ];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

function unitEdges(plan: Plan, line: (from: number, to: number) => string): string[] {
  const index = new Map(plan.units.map((unit, at) => [unit.source, at]));
  return plan.units.flatMap((unit, to) =>
    unit.after.flatMap((source) => {
      const from = index.get(source);
      return from === undefined ? [] : [line(from, to)];
    }),
  );
}
