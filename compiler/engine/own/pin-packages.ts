import { fileURLToPath } from 'node:url';

import { pinPackages } from '#runtime/program/pinned-packages.ts';
import { ports } from '#schemas/generated/ports.ts';

import { packageFolder } from './package-folder.ts';

/**
 * Fixes the packages that commands load beside this one to those that are installed now, before a step runs; the
 * function that is yielded ends that.
 */
export function pinOwnPackages(): () => void {
  const names = Object.values(ports).flatMap(({ externals }) => externals);
  return pinPackages(Object.fromEntries(names.map((name) => [name, []])), fileURLToPath(packageFolder));
}
