import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import { labelOf } from '#grammar/language/label.ts';
import type { TextPlace } from '#grammar/language/label.ts';

import type { ShardProblem } from './ast.ts';

/** The diagnostic of a problem in a shard text that stands at `place`. */
export function shardDiagnostic(problem: ShardProblem, place: TextPlace): Diagnostic {
  const at = labelOf(problem, place);
  const { found = '', expected = '' } = problem;
  switch (problem.key) {
    case 'no-shards':
      return d.shardTotal({ at, found, expected });
    case 'outside':
      return d.shardIndex({ at, found, expected });
    case 'unexpected':
    case 'incomplete':
    case 'unreadable':
      return d.shardForm({ at });
  }
}
