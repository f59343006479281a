import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { commandLine } from '../../../built.ts';
import { openPlace, type Place } from '../call-here.ts';

const svc = (place: Place, file: object, ...flags: readonly string[]): string => {
  const path = place.path('run.json');
  writeFileSync(path, JSON.stringify(file));
  return execFileSync(process.execPath, [...commandLine, 'run', path, '--json', ...flags], {
    encoding: 'utf8',
    timeout: 60_000,
  });
};

it('a run stays for its monitors as long as it was told, and not at all with --once', async () => {
  const place = await openPlace();
  try {
    await mkdir(place.path('in'));
    await writeFile(
      place.path('hooks.mjs'),
      'import { appendFileSync } from "node:fs";\nexport const drift = () => appendFileSync(new URL("heard.txt", import.meta.url), "drift\\n");\n',
    );
    const start = [
      'FA_integrity_start',
      {
        name: 'one',
        root: place.path('in'),
        manifest_path: place.path('none.json'),
        interval: 0.05,
        on_drift: 'hooks.mjs#drift',
      },
    ];
    expect(svc(place, { actions: [start], meta: { run_for_s: 1 } }, '--allow', 'packages')).toContain('"passed"');
    expect(await readFile(place.path('heard.txt'), 'utf8')).toBe('drift\n');
    await rm(place.path('heard.txt'));
    expect(
      svc(
        place,
        { actions: [['FA_integrity_start', { ...(start[1] as object), interval: 3600 }]] },
        '--allow',
        'packages',
        '--once',
      ),
    ).toContain('"passed"');
  } finally {
    await place.close();
  }
}, 120_000);
