import { suite } from '../suite.ts';

import { compileCase } from './compile-case.ts';
import { fixedText } from './fixed-text.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import { printSteps } from './print-steps.ts';

suite('phases', {
  folder: import.meta.dirname,
  isGolden: (path) => path === 'diagnostics.txt' || path === 'steps.txt' || path === 'fixed.txt',
  run: async (example) => {
    const compilation = await compileCase(example);
    const goldens = new Map([['diagnostics.txt', printDiagnostics(compilation)]]);
    const fixed = fixedText(compilation);
    if (fixed !== undefined) goldens.set('fixed.txt', fixed);
    // What parse makes of a file is shown where parse is the subject.
    const [first] = compilation.files;
    if (example.name.startsWith('3-parse/') && first !== undefined) goldens.set('steps.txt', printSteps(first));
    return goldens;
  },
});
