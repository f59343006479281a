import { didYouMean } from '#compiler/did-you-mean.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { isObject } from '#schemas/types/json.ts';

import type { Rule } from '../rule.ts';

const known = ['actions', 'meta', 'nodes', 'setup', 'svc', 'teardown', 'webdriver_wrapper'];

/** Further top-level keys are allowed; one that looks like a typo is pointed out. */
export default {
  name: 'no-unknown-key',
  preset: 'recommended',
  source({ document, at, report }) {
    if (!isObject(document.value)) return;
    const written = Object.keys(document.value);
    for (const key of written.filter((name) => !known.includes(name) && !name.startsWith('svc_'))) {
      const [nearest] = didYouMean(key, known.filter((name) => !written.includes(name)));
      if (nearest === undefined) continue;
      const fix = { title: `rename to "${nearest}"`, safety: 'unsafe', operations: [{ kind: 'rename-key', route: [key], key: nearest }] } as const;
      report(d.noUnknownKey({ at: at([key], 'key'), key, nearest, fixes: [fix] }));
    }
  },
} satisfies Rule;
