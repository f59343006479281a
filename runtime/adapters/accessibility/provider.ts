import { readFile } from 'node:fs/promises';

import type { Provider } from '#runtime/kernel/ports.ts';
import { auditEngineMissing } from '#schemas/generated/failures.ts';

/** The accessibility engine, a file that comes with the command line as its authors made it. */
export interface Accessibility {
  /** Its script, for a page. */
  source(): Promise<string>;
}

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly accessibility: Accessibility;
  }
}

export const provider: Provider<'accessibility'> = { open: () => ({ source }) };

async function source(): Promise<string> {
  return (await shipped()) ?? installed();
}

/** Undefined in a compiled program: this name means a file inside of the package of the command line alone. */
async function shipped(): Promise<string | undefined> {
  try {
    return await readFile(new URL(import.meta.resolve('#shipped/axe-core/axe.min.js')), 'utf8');
  } catch {
    return undefined;
  }
}

/** The package says what its own script is. */
async function installed(): Promise<string> {
  try {
    return (await import('axe-core')).default.source;
  } catch (cause) {
    throw auditEngineMissing({ cause });
  }
}
