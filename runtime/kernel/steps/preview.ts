import type { Files } from '#schemas/types/host.ts';
import type { Node } from '#schemas/types/plan.ts';

import type { Frame } from '../contract.ts';
import type { Preview } from '../linked.ts';
import { Unknown } from '../values/surroundings.ts';
import { StepContext } from './step-context.ts';

/** Names that are shown of each kind. */
const MOST_SHOWN = 100;

/**
 * Changes that a command would make: names of the first ones, and how many there are; or why that cannot be
 * told before it runs.
 */
export type Would = Readonly<Record<string, { readonly count: number; readonly first: readonly string[] } | string>>;

/**
 * Asks a command that changes many things what it would change; undefined for others, and where values are not known
 * yet.
 */
export function previewed(
  node: Node,
  frame: Frame,
  args: Readonly<Record<string, unknown>>,
): Promise<Would | undefined> | undefined {
  if (node.kind !== undefined || frame.linked.facts[node.command]?.preview !== true) return undefined;
  return Object.values(args).some(isUnknown) ? undefined : ask(node, frame, args);
}

async function ask(node: Node, frame: Frame, args: Readonly<Record<string, unknown>>): Promise<Would | undefined> {
  try {
    const use = frame.unit.use(node.command, frame.linked);
    const { preview } = await use.open();
    if (!preview || (use.validate?.(args).length ?? 0) > 0) return undefined;
    const step = { id: node.id, command: node.command, attempt: 1, statusJudged: false };
    const context = new StepContext(frame.unit, step, frame.cancel.signal, { abandoned: false, evidence: [] });
    const ports = context as unknown as Record<string, unknown>;
    for (const { name, port } of use.shared) ports[name] = name === 'files' ? readOnly(port as Files) : port;
    return shortened(await preview(args, context));
  } catch (error) {
    // An earlier step may make what is missing now.
    return { unknown: error instanceof Error ? error.message : String(error) };
  }
}

function shortened(preview: Preview): Would {
  return Object.fromEntries(
    Object.entries(preview).map(([verb, names]) => [verb, { count: names.length, first: names.slice(0, MOST_SHOWN) }]),
  );
}

function isUnknown(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof Unknown || Object.values(value).some(isUnknown);
}

/** Methods that only read; every other one changes something. */
const READING: ReadonlySet<string | symbol> = new Set<keyof Files>([
  'stat',
  'lstat',
  'find',
  'read',
  'readRegular',
  'open',
  'stream',
  'digest',
  'list',
  'survey',
  'tellApart',
  'sameContent',
  'readLink',
  'realPath',
  'isTemporary',
]);

function readOnly(files: Files): Files {
  return new Proxy(files, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      if (READING.has(key)) return value.bind(target) as unknown;
      return () => {
        throw new Error(`a dry run changes nothing: ${String(key)}`);
      };
    },
  });
}
