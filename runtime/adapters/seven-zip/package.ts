import { createRequire } from 'node:module';

import * as fail from '#schemas/generated/failures.ts';

/** The optional package, and the version that this was tested with: that of our peer dependencies. */
export const SEVEN_ZIP = { name: '7z-wasm', version: '1.2.0' };

/** Path of its module, looked for beside this module, which in a compiled program is the program itself. */
export function sevenZipModule(command: string, format: string): string {
  try {
    return createRequire(import.meta.url).resolve(SEVEN_ZIP.name);
  } catch (cause) {
    throw fail.archivePackageMissing({ command, format, package: SEVEN_ZIP.name, version: SEVEN_ZIP.version, cause });
  }
}
