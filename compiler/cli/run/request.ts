import { nearest } from '#compiler/engine/nearest.ts';
import { gateNames, gates } from '#runtime/program/arguments.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ParsedArguments } from '#schemas/types/cli.ts';
import type { RunRequest } from '#schemas/types/service.ts';

import { count, many, one } from '../options.ts';

/**
 * The part of a request that a command line writes beside files, in the words of a request: as any other
 * program would say it.
 */
export type WrittenRequest = Required<Pick<RunRequest, 'gates' | 'selection' | 'settings'>>;

/** Reads the options of `svc run`. Fails for gates that nothing is called. */
export function requestOf(args: ParsedArguments): WrittenRequest {
  const { options } = args;
  const slowMo = one(options, 'slow-mo');
  return {
    gates: gatesOf(args),
    selection: selectionOf(args),
    settings: {
      dry_run: options['dry-run'] === true,
      fail_fast: options['fail-fast'] === true,
      once: options['once'] === true,
      isolate: options['isolate'] === true,
      ...(options['seed'] !== undefined && { seed: count(options, 'seed') }),
      workers: count(options, 'workers'),
      retries: count(options, 'retries'),
      repeat: count(options, 'repeat'),
      headed: options['headed'] === true,
      update_snapshots: options['update-snapshots'] === true,
      ...(slowMo !== undefined && { slow_mo_ms: Number(slowMo) }),
    },
  };
}

/** The gates that the options open or close. */
export function gatesOf({ options }: ParsedArguments): WrittenRequest['gates'] {
  for (const name of ['allow', 'deny']) many(options, name).forEach(known);
  return { ...gates(many(options, 'allow'), true), ...gates(many(options, 'deny'), false) };
}

/** The nearest names are offered for one that no gate has. */
function known(list: string): void {
  for (const gate of list.split(',').map((name) => name.trim())) {
    if (!gateNames.some((candidate) => candidate === gate))
      throw fail.unknownGate({ gate, allowed: gateNames.join(', '), ...nearest(gate, gateNames) });
  }
}

function selectionOf({ options }: ParsedArguments): WrittenRequest['selection'] {
  const grep = one(options, 'grep');
  const shard = one(options, 'shard');
  return {
    tags: many(options, 'tag'),
    exclude_tags: many(options, 'exclude-tag'),
    ...(grep !== undefined && { grep }),
    ...(shard !== undefined && { shard }),
    ...(options['matrix'] !== undefined && { matrix: matrixOf(many(options, 'matrix')) }),
    last_failed: options['last-failed'] === true,
    dependencies: options['no-deps'] !== true,
  };
}

/** `KEY=VALUE`, several with commas between them; of one key any of its values, of several keys all. */
function matrixOf(given: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const pairs = given
    .flatMap((text) => text.split(','))
    .map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw fail.matrixNotReadable({ given: pair });
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const;
    });
  return Object.fromEntries(
    [...Map.groupBy(pairs, ([key]) => key)].map(([key, all]) => [key, all.map(([, value]) => value)]),
  );
}

const selecting = ['tag', 'exclude-tag', 'grep', 'matrix', 'shard', 'last-failed'] as const;

/** The options of a command line that select, as one text. */
export function selectionText({ options }: ParsedArguments): string {
  return selecting
    .filter((name) => options[name] !== undefined)
    .map((name) => `--${name}`)
    .join(' ');
}
