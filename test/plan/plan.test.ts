import { expect } from 'vitest';

import { compileCase } from '../phases/compile-case.ts';
import { printDiagnostics } from '../phases/print-diagnostics.ts';
import { suite } from '../suite.ts';

import { printPlan } from './print-plan.ts';

suite('plans', {
  folder: import.meta.dirname,
  // Blocks stand in blocks: a case of control forms is longer than one of calls.
  mostLines: 110,
  isGolden: (path) => path === 'plan.json' || path === 'places.txt',
  run: async (example) => {
    const compilation = await compileCase(example);
    const errors = compilation.diagnostics.filter(({ severity }) => severity === 'error');
    expect(printDiagnostics({ files: compilation.files, diagnostics: errors })).toBe('');
    const { plan } = compilation.seal();
    const places = Object.entries(compilation.places()).map(
      ([id, { file, line, column, text }]) => `${id} ${file}:${line}:${column} ${text}\n`,
    );
    return new Map([
      ['plan.json', printPlan(plan)],
      ['places.txt', places.join('')],
    ]);
  },
});
