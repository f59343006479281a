import type { Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { Span } from '#schemas/types/place.ts';

/**
 * An author's word that findings of one rule are meant so: `# svc-ignore RULE: reason`, or an entry of
 * `meta.lint.ignore`.
 */
export interface Suppression {
  /** A rule's name; a code that was written stands here as its name. Empty where what was written names none. */
  readonly rule: string;
  readonly reason: string;
  readonly at: Label;
  /** Findings that begin there are meant. */
  readonly covers: readonly Span[];
  readonly removal: Fix;
}
