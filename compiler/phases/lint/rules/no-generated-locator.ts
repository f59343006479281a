import * as d from '#schemas/generated/diagnostics.ts';

import { written } from '../literals.ts';
import type { Rule } from '../rule.ts';
import { shown } from '../texts.ts';

/** Names that libraries make: of styles, of components, of ids that count up. */
const generated = [
  /[.#'"](?:css|jss|sc|emotion|svelte|astro|makeStyles)-?[A-Za-z]*-?(?=[\w-]*\d)[\w]{5,}/,
  /[#'"](?:ember|ext-gen|gwt-uid-|yui_|mui-|radix-|headlessui-|react-select-|aria-|uid-)[\w-]*\d+/,
  /\.sc-(?:[a-z]+[A-Z]+){2}[A-Za-z]*(?![\w-])/,
  /[#'"](?:mat-[a-z-]+|cdk-[a-z-]+|el-id)-\d+(?:-\d+)?(?![\w-])/,
  /(?:\.ng-tns-c|\b_ng(?:content|host)-|\[data-v-)[0-9a-z]/,
  /:r[0-9a-z]{1,3}:/,
  /[#'"][a-z-]*[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i,
  /\.[A-Za-z]\w*_\w+__[A-Za-z0-9_-]{5}(?![\w-])/,
];

/** A locator names what stays. */
export default {
  name: 'no-generated-locator',
  preset: 'recommended',
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(({ domain }) => domain === 'browser')) {
      if (call.info.domain !== 'browser') continue;
      for (const { parameter, text } of written(call)) {
        const { name } = parameter;
        if (text === undefined || !(name === 'locator' || name === 'test_object_name' || /(?:^|_)selector$/.test(name)))
          continue;
        if (generated.some((pattern) => pattern.test(name === 'test_object_name' ? `#${text}` : text)))
          report(d.noGeneratedLocator({ at: call.argumentAt(name), locator: shown(text) }));
      }
    }
  },
} satisfies Rule;
