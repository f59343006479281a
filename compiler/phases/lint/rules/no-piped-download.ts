import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';
import { shellText, wordAt, wordsOfProgram } from '../shell-text.ts';

/** Programs that run what they read, with what may stand in front of them. */
const RUNS = String.raw`(?:(?:sudo|env)\s+(?:-\w+\s+)*)*(?:[\w./]{0,200}\/)?((?:ba|da|z|k|a)?sh|python[\d.]*|node|perl|ruby|pwsh|iex|invoke-expression)`;
const LOADS = '(curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)';
/** No script and no code of its own behind the program: it runs what comes in. */
const ALONE = String.raw`(?=\s*(?:$|[;&|\n)])|\s+-[euxs]*\s*(?:$|[;&|\n)])|\s+-s?\s)`;

const loads = new RegExp(String.raw`\b${LOADS}\b`, 'i');
const runsInput = new RegExp(String.raw`^\s*${RUNS}${ALONE}`, 'i');
/** `sh -c "$(curl …)"`, `bash <(curl …)` */
const filled = new RegExp(
  String.raw`(?<![\w-])(eval|source|${RUNS})\s+(?:-\w+\s+)*["']?(?:\$\(|<\()\s*${LOADS}\b`,
  'i',
);

/** A script that runs stands in the project, or is checked before. */
export default {
  name: 'no-piped-download',
  preset: 'recommended',
  hint: /curl|wget|iwr|irm|invoke-/i,
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(({ gate }) => gate === 'shell')) {
      const shell = shellText(wordsOfProgram(call));
      const found = shell && loaded(shell.text);
      if (shell && found) report(d.noPipedDownload({ at: wordAt(call, shell.index), ...found }));
    }
  },
} satisfies Rule;

interface Loaded {
  readonly loads: string;
  readonly runs: string;
}

function loaded(text: string): Loaded | undefined {
  const piped = loadedIntoPipe(text);
  if (piped) return piped;
  const [, outer = '', inner = outer, within = ''] = filled.exec(text) ?? [];
  return within === '' ? undefined : { loads: within, runs: inner };
}

/** `curl … | sh`. Taken apart, for one pattern for both would look from each `curl` to the end of a long text. */
function loadedIntoPipe(text: string): Loaded | undefined {
  for (const line of text.split(/[;&\n]/)) {
    const programs = line.split('|');
    for (const [index, program] of programs.entries()) {
      const [, runs] = runsInput.exec(program) ?? [];
      const [, loader] = (runs !== undefined && loads.exec(programs[index - 1] ?? '')) || [];
      if (runs !== undefined && loader !== undefined) return { loads: loader, runs };
    }
  }
  return undefined;
}
