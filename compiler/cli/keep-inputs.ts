import { resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';

/** Fails where one of the outputs is a file that is read, too: it would be lost. Paths begin at `cwd`. */
export function keepInputs(
  outputs: readonly (string | undefined)[],
  inputs: readonly (string | undefined)[],
  cwd: string,
): void {
  const read = new Set(inputs.filter((path) => path !== undefined).map((path) => resolve(cwd, path)));
  const lost = outputs.find((path) => path !== undefined && read.has(resolve(cwd, path)));
  if (lost !== undefined) throw fail.outputIsInput({ path: lost });
}

/** Fails where two outputs are one file: the second would replace the first. Devices take both. */
export function keepApart(outputs: readonly (string | undefined)[], cwd: string): void {
  const seen = new Set<string>();
  for (const path of outputs) {
    const whole = path === undefined ? '' : resolve(cwd, path);
    if (path === undefined || whole.startsWith('/dev/')) continue;
    if (seen.has(whole)) throw fail.outputTwice({ path });
    seen.add(whole);
  }
}
