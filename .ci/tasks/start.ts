import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

import { command, node } from '../steps.ts';

const SVC = 'dist/bin/svc.js';
const OUT = '.svc/quick-start';
const NEEDS_BROWSER = 'examples/quick-start/2-shop-browser.yaml';

/**
 * `npm start`: builds what is not built yet, then runs the quick start from end to end and says where its results are.
 */
process.exitCode = (await node('.ci/build/main.ts', ['--if-needed'])) || (await quickStart());

async function quickStart(): Promise<number> {
  const files = ['examples/quick-start/1-shop-api.yaml'];
  if (hasBrowser()) files.push(NEEDS_BROWSER);
  else
    console.log(
      `${NEEDS_BROWSER} is left out: no Chromium was found (\`node ${SVC} doctor\` says where it is looked for).\n`,
    );
  const status = await command(process.execPath, [
    SVC,
    'run',
    ...files,
    '--reporter',
    'human',
    '--reporter',
    `html=${OUT}/report.html`,
    '--record',
    `${OUT}/record.jsonl`,
    ...process.argv.slice(2),
  ]);
  console.log(`\nHTML report  ${OUT}/report.html\nRecord       ${OUT}/record.jsonl`);
  console.log(
    `Artifacts    ${[`${OUT}/evidence`, `${OUT}/evidence.zip`, `${OUT}/manifest.json`, `${OUT}/confirmation.png`].filter((path) => existsSync(path)).join(', ')}`,
  );
  return status;
}

function hasBrowser(): boolean {
  const { stdout } = spawnSync(process.execPath, [SVC, 'doctor', '--json'], { encoding: 'utf8' });
  const { findings } = JSON.parse(stdout) as {
    readonly findings: readonly { readonly what: string; readonly state: string }[];
  };
  return findings.some(({ what, state }) => what === 'Chromium' && state === 'ok');
}
