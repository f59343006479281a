import type { Document } from '#grammar/document/document.ts';
import { late } from '#grammar/language/late.ts';
import { printReference } from '#grammar/reference/print.ts';
import { scanText } from '#grammar/reference/scan.ts';
import type { CommandFacts } from '#schemas/types/command.ts';
import type { SourceId } from '#schemas/types/place.ts';
import type { Needs, Node, Unit, Value } from '#schemas/types/plan.ts';
import { blocksOf } from '#schemas/types/walk-nodes.ts';

import type { ActionFile, Meta, Section } from '../3-parse/ast.ts';
import { combinationsOf, type Combination } from '../3-parse/combinations.ts';
import { NO_PROFILES } from '../4-resolve/flow.ts';
import { definedNames } from '../4-resolve/definitions.ts';
import type { Call, CallList, ResolvedFile } from '../4-resolve/resolved.ts';
import type { Tokens } from '../4-resolve/tokens.ts';
import { listsOf } from '../4-resolve/walk-calls.ts';

import { factsOf } from './facts.ts';
import { NeedsOf } from './needs.ts';
import { MAX_WORKERS, orderOf } from './order.ts';
import { nodesOf, type Building } from './nodes.ts';
import { valueOf } from './values.ts';

export interface PlannedUnit {
  readonly unit: Unit;
  /** Facts of the commands that it calls, made when they are first asked for. */
  readonly commands: ReadonlyMap<string, CommandFacts>;
  /** Every node with its call, in the order in which they stand. */
  readonly nodes: readonly PlannedNode[];
}

export interface PlannedNode {
  readonly node: Node;
  readonly call: Call;
  readonly section: Section;
  /** The file in which it stands: that of the unit, or one that is used. */
  readonly document: Document;
}

/** The sources of the units that a file is: one, or one for each combination of its matrix. */
export function unitIds({ document, meta }: ActionFile): readonly SourceId[] {
  const { matrix } = meta;
  return matrix === undefined
    ? [document.source]
    : combinationsOf(matrix).map(({ name }) => `${document.source}[${name}]`);
}

/**
 * One file as the plan holds it: every decision taken, defaults filled; a unit for each combination of its matrix. The
 * file must have been checked. `after`: the units that run before it; `isPartial`: it has errors, and is shown alone.
 */
export function unitsOf(
  resolved: ResolvedFile,
  tokens: Tokens,
  after: readonly SourceId[],
  isPartial = false,
): readonly PlannedUnit[] {
  const { matrix } = resolved.file.meta;
  const combinations = matrix === undefined ? [undefined] : combinationsOf(matrix);
  return combinations.map((combination) => unitOf(resolved, { tokens, after, combination, isPartial }));
}

interface UnitParts {
  readonly tokens: Tokens;
  readonly after: readonly SourceId[];
  readonly combination: Combination | undefined;
  readonly isPartial: boolean;
}

function unitOf(resolved: ResolvedFile, { tokens, after, combination, isPartial }: UnitParts): PlannedUnit {
  const { file, setup, body, teardown } = resolved;
  const { meta } = file;
  const path = file.document.source;
  const source = combination === undefined ? path : `${path}[${combination.name}]`;
  const building: Building = {
    source,
    within: '',
    tokens,
    retry: meta.retry,
    maxWorkers: meta.max_workers ?? MAX_WORKERS,
    // Nobody asks before the first reference to a variable.
    defined: late(() => definedNames([setup, body, teardown], tokens, NO_PROFILES)),
    isPartial,
  };
  const lists = {
    setup: nodesOf(setup, 'setup', building),
    body: nodesOf(body, 'body', building),
    teardown: nodesOf(teardown, 'teardown', building),
  };
  const nodes: PlannedNode[] = [];
  const { document } = file;
  pair(setup, lists.setup, { section: 'setup', document }, nodes);
  pair(body, lists.body, { section: 'body', document }, nodes);
  pair(teardown, lists.teardown, { section: 'teardown', document }, nodes);
  const used = usedBy(resolved);
  const base = meta.base_url === undefined ? undefined : valueOf(meta.base_url, { type: 'string' }, tokens);
  let needs: Needs | undefined;
  const unit: Unit = {
    source,
    ...(combination && { file: path, matrix: combination.values }),
    ...locksOf([resolved, ...used]),
    ...heading(meta, combination),
    ...(base === undefined ? {} : { base_url: base }),
    ...envKeysOf(meta, used),
    inputs: meta.inputs ?? [],
    ...(meta.sessions && { sessions: [...meta.sessions].sort() }),
    secrets: sorted([resolved, ...used].flatMap((each) => each.file.meta.secrets ?? [])),
    modules: sorted([resolved, ...used].flatMap(({ modules }) => modules.map(({ place }) => place))),
    ...(resolved.rows === undefined ? {} : { rows: resolved.rows }),
    ...lists,
    order: orderOf(resolved),
    after,
    ...(meta.timeout_s === undefined ? {} : { timeout_s: meta.timeout_s }),
    ...(meta.run_for_s === undefined ? {} : { run_for_s: meta.run_for_s }),
    ...(meta.seed === undefined ? {} : { seed: meta.seed }),
    // Lint has no use for them, and they take a look at everything.
    get needs() {
      return (needs ??= needsOf(nodes, base, resolved, used));
    },
  };
  let commands: ReadonlyMap<string, CommandFacts> | undefined;
  return {
    unit,
    nodes,
    get commands() {
      return (commands ??= commandsOf(nodes));
    },
  };
}

function commandsOf(nodes: readonly PlannedNode[]): ReadonlyMap<string, CommandFacts> {
  const commands = new Map<string, CommandFacts>();
  for (const { node, call } of nodes) {
    const { info } = call.signature;
    if (node.kind === undefined && !commands.has(info.name)) commands.set(info.name, factsOf(info));
  }
  return commands;
}

type At = Pick<PlannedNode, 'section' | 'document'>;

/** Adds nodes with their calls, each before those inside it. */
function pair(list: CallList, nodes: readonly Node[], at: At, pairs: PlannedNode[]): void {
  const { calls } = list;
  const { section, document } = at;
  // By index: a loop over a long list runs for the most part before it is optimised.
  for (let index = 0; index < calls.length; index += 1) {
    const call = calls[index];
    const node = nodes[index];
    if (call === undefined || node === undefined) continue;
    pairs.push({ node, call, section, document });
    if (listsOf(call).size === 0 && call.used === undefined) continue;
    const inside = call.used === undefined ? at : { ...at, document: call.used.resolved.file.document };
    for (const block of blocksOf(node)) {
      const nested = blockList(call, block.parameter);
      if (nested !== undefined) pair(nested, block.nodes, inside, pairs);
    }
  }
}

/** The calls behind a block: of a step that uses a file, a section of that. */
function blockList(call: Call, parameter: string): CallList | undefined {
  if (call.used === undefined) return listsOf(call).get(parameter);
  const { setup, body, teardown } = call.used.resolved;
  return { setup, body, teardown }[parameter as Section];
}

/** Files that a file uses, and those that they use. */
function usedBy(resolved: ResolvedFile): readonly ResolvedFile[] {
  const all = new Set<ResolvedFile>();
  const waiting = [resolved];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const { resolved: used } of next.uses) if (all.size < all.add(used).size) waiting.push(used);
  return [...all];
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

function needsOf(
  nodes: readonly PlannedNode[],
  base: Value | undefined,
  { rows, modules }: ResolvedFile,
  used: readonly ResolvedFile[],
): Needs {
  const needs = new NeedsOf();
  for (const { node, call } of nodes) needs.node(node, call.signature.info);
  if (base !== undefined) needs.address(base);
  if (rows !== undefined) needs.file(rows.path);
  for (const module of [...modules, ...used.flatMap((each) => each.modules)]) needs.module(module);
  return needs.done();
}

/** Locks of a unit, with those of files that it uses. */
function locksOf(files: readonly ResolvedFile[]): Pick<Unit, 'locks'> {
  const locks = sorted(files.flatMap(({ file }) => file.meta.locks ?? []));
  return locks.length === 0 ? {} : { locks };
}

/** A file that is used reads the environment of its caller: what it declares itself comes on top. */
function envKeysOf({ env_keys: own }: Meta, used: readonly ResolvedFile[]): Pick<Unit, 'env_keys'> {
  return own === undefined
    ? {}
    : { env_keys: sorted([...own, ...used.flatMap(({ file }) => file.meta.env_keys ?? [])]) };
}

function heading(
  { name, description, tags, env }: Meta,
  combination: Combination | undefined,
): Pick<Unit, 'name' | 'description' | 'tags' | 'env'> {
  return {
    ...(name === undefined ? {} : { name: combination === undefined ? name : namedBy(name, combination) }),
    ...(description === undefined ? {} : { description }),
    tags: tags ?? [],
    ...(env === undefined ? {} : { env }),
  };
}

/** A name with the values of its combination; other references stand as they are written. */
function namedBy(name: string, { values }: Combination): string {
  const parts = scanText(name)?.parts ?? [name];
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const value = part.ns === 'MATRIX' ? values[part.name] : undefined;
      if (value === undefined) return printReference(part);
      return typeof value === 'string' ? value : JSON.stringify(value);
    })
    .join('');
}
