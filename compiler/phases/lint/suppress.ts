import { didYouMean } from '#compiler/did-you-mean.ts';
import type { Document } from '#grammar/document/document.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic, Report } from '#schemas/types/diagnostic.ts';
import type { Span } from '#schemas/types/place.ts';

import { commentSuppressions } from './comment-suppressions.ts';
import { metaSuppressions } from './meta-suppressions.ts';
import { Ranges } from './ranges.ts';
import { suppressible } from './rule-names.ts';
import type { Suppression } from './suppression.ts';

/** Told of a finding that its author means so, and why. */
export type OnSuppressed = (diagnostic: Diagnostic, reason: string) => void;

/** The suppressions of one file, and which of them were needed. */
export class Suppressions {
  readonly #all: readonly Suppression[];
  readonly #byRule: ReadonlyMap<string, Ranges<Suppression>>;
  readonly #used = new Set<readonly Suppression[]>();

  readonly #onSuppressed: OnSuppressed | undefined;

  /** Reads them; entries that cannot be read are reported. */
  constructor(document: Document, report: Report, onSuppressed?: OnSuppressed) {
    this.#onSuppressed = onSuppressed;
    this.#all = [...commentSuppressions(document), ...metaSuppressions(document, report)];
    this.#byRule = new Map(
      [...Map.groupBy(this.#all, ({ rule }) => rule)]
        .filter(([rule]) => suppressible().has(rule))
        .map(([rule, own]) => [
          rule,
          new Ranges(own.flatMap((item) => item.covers.map((range) => ({ ...range, item })))),
        ]),
    );
  }

  /** Whether the author means it so. Errors never are. */
  readonly isSuppressed = (diagnostic: Diagnostic, span: Span): boolean => {
    const { slug, severity } = diagnostic;
    if (severity === 'error') return false;
    const hits = this.#byRule.get(slug)?.at(span.start) ?? [];
    for (const hit of hits) this.#used.add(hit);
    const [first] = hits.flat();
    if (first !== undefined) this.#onSuppressed?.(diagnostic, first.reason);
    return hits.length > 0;
  };

  /**
   * Says of each what is wrong with it, when all findings have been asked about. `ran` are the rules that could have
   * found something.
   */
  complain(ran: (rule: string) => boolean, report: Report): void {
    const used = new Set([...this.#used].flat());
    for (const suppression of this.#all) {
      const { rule, at, reason, removal } = suppression;
      if (rule === '') report(d.validSuppression({ at }));
      else if (!suppressible().has(rule))
        report(d.noUnknownRule({ at, rule, nearest: didYouMean(rule, suppressible())[0] }));
      else if (!used.has(suppression) && ran(rule)) report(d.noUnusedSuppression({ at, rule, fixes: [removal] }));
      else if (reason === '') report(d.useSuppressionReason({ at, rule }));
    }
  }
}
