import { github } from './github.ts';
import { html } from './html/html.ts';
import { human } from './human.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import type { Reporters } from './names.ts';
import { tap } from './tap.ts';

/** For compiled programs, which are one file: linked, so that only what is used of them is in there. */
export const linkedReporters: Reporters = {
  human: () => human,
  json: () => json,
  junit: () => junit,
  tap: () => tap,
  github: () => github,
  html: () => html,
};
