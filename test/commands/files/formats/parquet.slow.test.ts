import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { commandLine } from '../../../built.ts';
import { openDuck } from './duckdb.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-parquet-slow-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

function* lines(count: number): Generator<string> {
  yield 'id,name,text\n';
  for (let at = 0; at < count; at += 1000)
    yield Array.from(
      { length: 1000 },
      (_one, index) =>
        `${at + index},name ${index % 100},some text that is long enough to matter ${(at + index) * 7919}\n`,
    ).join('');
}

/** Peak resident memory of one run of the command, in MiB. */
async function converted(csv: string): Promise<number> {
  const file = join(root, 'convert.json');
  await writeFile(file, JSON.stringify([['FA_csv_to_parquet', { csv_path: csv, parquet_path: `${csv}.parquet` }]]));
  const code = `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(`${csv}.peak`)}, String(/VmHWM:\\s+(\\d+)/.exec(require('node:fs').readFileSync('/proc/self/status', 'latin1'))[1])))`;
  await writeFile(join(root, 'peak.cjs'), code);
  const run = spawn(process.execPath, ['--require', join(root, 'peak.cjs'), ...commandLine, 'run', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await new Promise((done) => run.on('exit', done))).toBe(0);
  return Number(await readFile(`${csv}.peak`, 'utf8')) / 1024;
}

it('a CSV file becomes row groups in memory that does not grow with it', async () => {
  const peaks: number[] = [];
  const sizes = process.env['SVC_TEST_FULL'] === '1' ? [200_000, 4_000_000] : [100_000, 250_000];
  for (const count of sizes) {
    const csv = join(root, `${count}.csv`);
    await pipeline(Readable.from(lines(count)), createWriteStream(csv));
    peaks.push(await converted(csv));
    console.info(
      `FA_csv_to_parquet of ${((await stat(csv)).size / 2 ** 20).toFixed(0)} MiB: ${peaks.at(-1)?.toFixed(0)} MiB resident at most`,
    );
    const duck = await openDuck();
    if (!duck) continue;
    expect(
      await duck.rows(
        `SELECT count(*) AS rows, count(DISTINCT name) AS names, max(id::INT) AS last FROM read_parquet('${csv}.parquet')`,
      ),
    ).toEqual([{ rows: String(count), names: '100', last: count - 1 }]);
    expect(
      await duck.rows(`SELECT count(DISTINCT row_group_id) AS groups FROM parquet_metadata('${csv}.parquet')`),
    ).toEqual([{ groups: String(count / 50_000) }]);
    duck[Symbol.dispose]();
  }
  // What the collector lets stand differs by some tens of MiB from run to run.
  expect((peaks[1] ?? 0) - (peaks[0] ?? 0)).toBeLessThan(200);
}, 300_000);
