import { compileCase } from '../phases/compile-case.ts';
import { printDiagnostics } from '../phases/print-diagnostics.ts';
import { suite } from '../suite.ts';

/** Several files: what is said of them, the order in which they run, and what each unit waits for. */
suite('projects', {
  folder: import.meta.dirname,
  isGolden: (path) => path === 'diagnostics.txt' || path === 'order.txt',
  run: async (example) => {
    const compilation = await compileCase(example);
    const order = compilation.files.map(
      ({ source, isPulledIn, after }) =>
        `${source}${isPulledIn ? ' (pulled in)' : ''}${after.length === 0 ? '' : ` after ${after.join(', ')}`}${compilation.isBroken(source) ? ' BROKEN' : ''}\n`,
    );
    return new Map([
      ['diagnostics.txt', printDiagnostics(compilation)],
      ['order.txt', order.join('')],
    ]);
  },
});
