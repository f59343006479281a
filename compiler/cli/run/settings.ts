import { nearest } from '#compiler/engine/nearest.ts';
import type { RunSettings } from '#compiler/engine/run/settings.ts';
import { gateNames, gates } from '#runtime/program/arguments.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ParsedArguments } from '#schemas/types/cli.ts';

import { many, one } from '../options.ts';

/** The settings that a command line lays over the configuration. */
export function settingsOf({ options }: ParsedArguments): RunSettings {
  const slowMo = one(options, 'slow-mo');
  for (const name of ['allow', 'deny']) many(options, name).forEach(known);
  return {
    gates: { ...gates(many(options, 'allow'), true), ...gates(many(options, 'deny'), false) },
    headed: options['headed'] === true,
    ...(slowMo !== undefined && { slow_mo_ms: Number(slowMo) }),
  };
}

/** The nearest names are offered for one that no gate has. */
function known(list: string): void {
  for (const gate of list.split(',').map((name) => name.trim())) {
    if (!gateNames.some((candidate) => candidate === gate))
      throw fail.unknownGate({ gate, allowed: gateNames.join(', '), ...nearest(gate, gateNames) });
  }
}
