import { matchesTags, type TagFilter } from '#grammar/tag-filter/parse.ts';
import type { Shard } from '#grammar/shard/ast.ts';
import { partition } from '#grammar/shard/partition.ts';
import type { Node, Unit } from '#schemas/types/plan.ts';

import { neededSteps } from './needed-steps.ts';

/** Which files and steps a run is asked for. */
export interface Selection {
  /** What any of these selects; none: everything. */
  readonly tags: readonly TagFilter[];
  readonly excluded: readonly TagFilter[];
  readonly grep?: string;
  /** Values that keys of a matrix may have, as ids name them or as text. */
  readonly matrix?: Readonly<Record<string, readonly string[]>>;
  readonly shard?: Shard;
  /** Sources that failed last time. */
  readonly lastFailed?: ReadonlySet<string>;
  readonly withDependencies: boolean;
}

export interface Selected {
  /** In plan order. */
  readonly units: readonly Unit[];
  /** Sources among them that were selected themselves, not only needed by others. */
  readonly chosen: ReadonlySet<string>;
  /** Steps of bodies that run; absent: all. */
  readonly steps?: (unit: Unit, node: Node) => boolean;
}

/**
 * Narrows a plan's units to those that were asked for. A file is selected by its own tags, path or name, else
 * by its steps that match; a shard deals out the files that were listed; dependencies come along.
 */
export function select(
  units: readonly Unit[],
  listed: ReadonlySet<string>,
  selection: Selection,
  sha1: (text: string) => string,
): Selected {
  const wanted = units.filter((unit) => listed.has(unit.source) && isSelected(unit, selection));
  const sharded = selection.shard
    ? new Set(
        partition(
          wanted.map((unit) => unit.source),
          selection.shard,
          sha1,
        ),
      )
    : undefined;
  const chosen = new Set(wanted.map((unit) => unit.source).filter((source) => sharded?.has(source) ?? true));
  const kept = selection.withDependencies ? withDependencies(units, chosen) : chosen;
  const steps = stepFilter(selection, chosen);
  return {
    units: units
      .filter((unit) => kept.has(unit.source))
      .map((unit) => ({ ...unit, after: unit.after.filter((source) => kept.has(source)) })),
    chosen,
    ...(steps && { steps }),
  };
}

function isSelected(unit: Unit, { tags, excluded, grep, lastFailed, matrix }: Selection): boolean {
  if (lastFailed && !lastFailed.has(unit.source)) return false;
  if (isTagged(unit.tags, excluded)) return false;
  if (!isInMatrix(unit, matrix)) return false;
  const byTag =
    tags.length === 0 || isTagged(unit.tags, tags) || unit.body.some((node) => isTagged(tagsOf(unit, node), tags));
  const byText = grep === undefined || fileHasText(unit, grep) || unit.body.some((node) => hasText(node, grep));
  return byTag && byText;
}

function isInMatrix({ source, matrix = {} }: Unit, wanted: Selection['matrix'] = {}): boolean {
  const named = new Map(
    source
      .slice(source.lastIndexOf('[') + 1, -1)
      .split(',')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const),
  );
  return Object.entries(wanted).every(([key, values]) => {
    const value = Object.hasOwn(matrix, key) ? matrix[key] : undefined;
    if (value === undefined) return false;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return values.includes(text) || values.includes(named.get(key) ?? text);
  });
}

/** In files that match only by steps, those run with what they need; steps with an excluded tag never do. */
function stepFilter(selection: Selection, chosen: ReadonlySet<string>): Selected['steps'] {
  const { tags, excluded, grep } = selection;
  if (tags.length === 0 && excluded.length === 0 && grep === undefined) return undefined;
  const needed = new Map<Unit, ReadonlySet<string>>();
  return (unit, node) => {
    if (!chosen.has(unit.source)) return true;
    let ids = needed.get(unit);
    if (!ids)
      needed.set(
        unit,
        (ids = neededSteps(
          unit,
          (each) => isWanted(unit, each, selection),
          (each) => isTagged(tagsOf(unit, each), excluded),
        )),
      );
    return ids.has(node.id);
  };
}

function isWanted(unit: Unit, node: Node, { tags, grep }: Selection): boolean {
  const byTag = tags.length === 0 || isTagged(unit.tags, tags) || isTagged(tagsOf(unit, node), tags);
  return byTag && (grep === undefined || fileHasText(unit, grep) || hasText(node, grep));
}

function isTagged(tags: readonly string[], filters: readonly TagFilter[]): boolean {
  const set = new Set(tags);
  return filters.some((filter) => matchesTags(filter, set));
}

/** A step has its file's tags and its own, so that `!slow` leaves out all of a slow file. */
function tagsOf(unit: Unit, node: Node): readonly string[] {
  return node.tags ? [...unit.tags, ...node.tags] : unit.tags;
}

function fileHasText(unit: Unit, text: string): boolean {
  return unit.source.includes(text) || unit.name?.includes(text) === true;
}

function hasText(node: Node, text: string): boolean {
  return node.name?.includes(text) === true || node.id.slice(node.id.indexOf('#') + 1).includes(text);
}

function withDependencies(units: readonly Unit[], chosen: ReadonlySet<string>): ReadonlySet<string> {
  const bySource = new Map(units.map((unit) => [unit.source, unit]));
  const kept = new Set<string>();
  const waiting = [...chosen];
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    if (kept.has(source)) continue;
    kept.add(source);
    waiting.push(...(bySource.get(source)?.after ?? []));
  }
  return kept;
}
