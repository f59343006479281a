import { gateNames, gates } from '#runtime/program/arguments.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Gate } from '#schemas/types/command.ts';
import type { ParsedArguments } from '#schemas/types/cli.ts';

import { many, one } from '../options.ts';
import { nearest } from '#compiler/engine/nearest.ts';

/** Open on a local command line: what the author of the file can do in a shell anyway. */
const localGates: Readonly<Partial<Record<Gate, boolean>>> = { script: true, packages: true, shell: true };

/** The settings of a run: the configuration, and what the command line lays over it. */
export function runSettings(configured: Settings, args: ParsedArguments): Settings {
  const given = givenSettings(configured, args);
  return { ...configured, ...given, gates: { ...localGates, ...configured.gates, ...given.gates } };
}

/** What the command line lays over the settings that are there. */
export function givenSettings({ browser }: Settings, { options }: ParsedArguments): Partial<Settings> {
  const slowMo = one(options, 'slow-mo');
  for (const name of ['allow', 'deny']) many(options, name).forEach(known);
  const wanted = {
    ...browser,
    ...(options['headed'] === true && { headless: false }),
    ...(slowMo !== undefined && { slow_mo_ms: Number(slowMo) }),
  };
  return {
    gates: { ...gates(many(options, 'allow'), true), ...gates(many(options, 'deny'), false) },
    ...(Object.keys(wanted).length > 0 && { browser: wanted }),
  };
}

/** The nearest names are offered for one that no gate has. */
function known(list: string): void {
  for (const gate of list.split(',').map((name) => name.trim())) {
    if (!gateNames.some((candidate) => candidate === gate))
      throw fail.unknownGate({ gate, allowed: gateNames.join(', '), ...nearest(gate, gateNames) });
  }
}
