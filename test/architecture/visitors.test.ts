import { describe, expect, it } from 'vitest';

import { readSource, sourceFiles } from './imports/read-graph.ts';

/**
 * Control forms are further kinds of nodes, with lists of steps of their own. What goes on into values and steps does
 * it by the visitors, so that a new form is told in them and nowhere else.
 */
const visitors = {
  'values of a plan': {
    by: /'(?:lit|ref|list|map|block)' in |\.block\b(?!\()/,
    within: {
      'schemas/types/fold-value.ts': 'the visitor of values',
      'schemas/types/walk-nodes.ts': 'the visitor of steps in a plan',
      'compiler/phases/6-plan/values.ts': 'makes values',
      'compiler/cli/plan/text.ts': 'prints a list of steps as lines of its own',
      'runtime/kernel/steps/attempt.ts': 'hands literals and lists of steps to the command, in the time of every step',
      'runtime/kernel/steps/dry-run.ts': 'tells literals and lists of steps as they stand',
    },
  },
  'lists inside calls': {
    by: /\b(?:call|each|whole)\.blocks\b/,
    within: {
      'compiler/phases/4-resolve/walk-calls.ts': 'the visitor of calls',
      'compiler/phases/4-resolve/calls.ts': 'makes calls',
      'compiler/phases/5-check/index.ts': 'asks whether steps were compiled at all',
    },
  },
};

describe.each(Object.entries(visitors))('%s', (_, { by, within }) => {
  it('are looked into by their visitors alone', () => {
    // Commands see no plan.
    const found = sourceFiles().filter(
      (file) => /^(?:compiler|grammar|runtime\/kernel|schemas\/types)\//.test(file) && by.test(code(file)),
    );
    expect(found).toEqual(Object.keys(within).toSorted());
  });
});

/** A source without comments. */
function code(file: string): string {
  return readSource(file).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
