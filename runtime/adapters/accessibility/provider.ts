import type { Provider } from '#runtime/kernel/ports.ts';
import { auditEngineMissing } from '#schemas/generated/failures.ts';

/** The accessibility engine beside the product: a package of its own, since its licence wants it unmodified. */
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

/** The package says what its own script is; it must reach the page unchanged. */
async function source(): Promise<string> {
  try {
    return (await import('axe-core')).default.source;
  } catch (cause) {
    throw auditEngineMissing({ cause });
  }
}
