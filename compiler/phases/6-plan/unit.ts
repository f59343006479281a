import type { CommandFacts } from '#schemas/types/command.ts';
import { literalOf } from '#schemas/types/fold-value.ts';
import type { Needs, Node, OnFailure, Order, Unit, Value } from '#schemas/types/plan.ts';
import { blocksOf } from '#schemas/types/walk-nodes.ts';

import type { Meta, Section } from '../3-parse/ast.ts';
import { NO_PROFILES } from '../4-resolve/flow.ts';
import { definedNames } from '../4-resolve/definitions.ts';
import type { Call, CallList, ResolvedFile } from '../4-resolve/resolved.ts';
import type { Tokens } from '../4-resolve/tokens.ts';
import { listsOf } from '../4-resolve/walk-calls.ts';

import { factsOf } from './facts.ts';
import { NeedsOf } from './needs.ts';
import { nodesOf, type Building } from './nodes.ts';
import { valueOf } from './values.ts';

export interface PlannedUnit {
  readonly unit: Unit;
  readonly commands: ReadonlyMap<string, CommandFacts>;
  /** Every node with its call, in the order in which they stand. */
  readonly nodes: readonly PlannedNode[];
}

export interface PlannedNode {
  readonly node: Node;
  readonly call: Call;
  readonly section: Section;
}

/** One file as the plan holds it: every decision taken, defaults filled. The file must have been checked. */
export function unitOf(resolved: ResolvedFile, tokens: Tokens): PlannedUnit {
  const { file, setup, body, teardown } = resolved;
  const { meta } = file;
  const building: Building = {
    source: file.document.source,
    tokens,
    retry: meta.retry,
    defined: definedNames([setup, body, teardown], tokens, NO_PROFILES),
  };
  const lists = {
    setup: nodesOf(setup, 'setup', building),
    body: nodesOf(body, 'body', building),
    teardown: nodesOf(teardown, 'teardown', building),
  };
  const nodes: PlannedNode[] = [];
  pair(setup, lists.setup, 'setup', nodes);
  pair(body, lists.body, 'body', nodes);
  pair(teardown, lists.teardown, 'teardown', nodes);
  const base = meta.base_url === undefined ? undefined : valueOf(meta.base_url, { type: 'string' }, tokens);
  const unit: Unit = {
    source: file.document.source,
    ...heading(meta),
    ...(base === undefined ? {} : { base_url: base }),
    inputs: meta.inputs ?? [],
    secrets: [...(meta.secrets ?? [])].sort(),
    modules: resolved.modules.map(({ place }) => place).sort(),
    ...(resolved.rows === undefined ? {} : { rows: resolved.rows }),
    ...lists,
    order: orderOf(resolved),
    after: resolved.after,
    ...(meta.timeout_s === undefined ? {} : { timeout_s: meta.timeout_s }),
    ...(meta.run_for_s === undefined ? {} : { run_for_s: meta.run_for_s }),
    ...(meta.seed === undefined ? {} : { seed: meta.seed }),
    needs: needsOf(nodes, base, resolved),
  };
  const commands = new Map<string, CommandFacts>();
  for (const { node, call } of nodes) {
    const { info } = call.signature;
    if (node.kind === undefined && !commands.has(info.name)) commands.set(info.name, factsOf(info));
  }
  return { unit, commands, nodes };
}

/** Adds nodes with their calls, each before those inside it. */
function pair(list: CallList, nodes: readonly Node[], section: Section, pairs: PlannedNode[]): void {
  for (const [index, call] of list.calls.entries()) {
    const node = nodes[index];
    if (node === undefined) continue;
    pairs.push({ node, call, section });
    for (const block of blocksOf(node)) {
      const nested = listsOf(call).get(block.parameter);
      if (nested !== undefined) pair(nested, block.nodes, section, pairs);
    }
  }
}

function needsOf(nodes: readonly PlannedNode[], base: Value | undefined, { rows, modules }: ResolvedFile): Needs {
  const needs = new NeedsOf();
  for (const { node, call } of nodes) needs.node(node, call.signature.info);
  if (base !== undefined) needs.value(base);
  const address = literalOf(base);
  if (typeof address === 'string') needs.host(address);
  if (rows !== undefined) needs.file(rows.path);
  for (const module of modules) needs.module(module);
  return needs.done();
}

function heading({ name, description, tags, env }: Meta): Pick<Unit, 'name' | 'description' | 'tags' | 'env'> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    tags: tags ?? [],
    ...(env === undefined ? {} : { env }),
  };
}

/** What happens after a failed step, by the form of the body. */
function orderOf({ file, body }: ResolvedFile): Order {
  const { meta } = file;
  if (body.list.kind === 'list') return { kind: 'list', on_failure: meta.on_failure ?? byForm(file.bodyKey) };
  const failed = meta.on_failure === 'stop' ? 'stop' : meta.fail_fast === false ? 'run-dependents' : 'skip-dependents';
  return { kind: 'graph', failed, max_workers: meta.max_workers ?? 4 };
}

function byForm(bodyKey: string | undefined): OnFailure {
  return bodyKey === 'actions' ? 'stop' : 'continue';
}
