import * as d from '#schemas/generated/diagnostics.ts';

import { namesRead } from '../names-read.ts';
import type { Rule } from '../rule.ts';

/** An input that a file asks for is used. */
export default {
  name: 'no-unused-input',
  preset: 'recommended',
  resolved(file) {
    const { unit, at, report } = file;
    if (unit.inputs.length === 0) return;
    const read = namesRead(file);
    for (const { name } of unit.inputs)
      if (!read.has(name)) report(d.noUnusedInput({ at: at(['meta', 'inputs', name], 'key'), name }));
  },
} satisfies Rule;
