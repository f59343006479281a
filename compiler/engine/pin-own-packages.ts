import { fileURLToPath } from 'node:url';

import { pinPackages } from '#runtime/program/pinned-packages.ts';
import { ports } from '#schemas/generated/ports.ts';

import { packageFolder } from './package-folder.ts';

/** Fixes the packages that commands load beside this one to those that are installed now, before a step runs. */
export function pinOwnPackages(): void {
  const names = Object.values(ports).flatMap(({ externals }) => externals);
  pinPackages(Object.fromEntries(names.map((name) => [name, []])), fileURLToPath(packageFolder));
}
