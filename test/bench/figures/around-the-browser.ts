import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { Figure } from '../figure.ts';
import { floor, svc } from '../paths.ts';

const FILES = 10_000;
const QUERIES = 100;
/** So many that the start, which is a tenth of a second, counts for little beside them. */
const ENTRIES = 3_000;
/** Times that one process reads the rows. */
const TURNS = 1_000;

function written(folder: string, actions: readonly unknown[]): { readonly args: string[]; readonly cwd: string } {
  const file = join(folder, 'actions.json');
  writeFileSync(file, JSON.stringify({ actions }));
  return { args: [svc, 'run', file, '--record', join(folder, 'record.jsonl')], cwd: folder };
}

function orders(folder: string): string {
  const path = join(folder, 'orders.db');
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, price REAL, note TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO orders SELECT i, 'name ' || i, i * 1.5, CASE WHEN i % 3 = 0 THEN NULL ELSE 'note of row ' || i END FROM n`);
  database.close();
  return path;
}

export const figures: readonly Figure[] = [
  // By its profile: 42 of 100 parts of the processor time are the start, 17 read the rows (as 64-bit integers, so that
  // none loses digits), 16 look for secrets in the results, 9 write these into records, 4 free memory.
  {
    name: `${QUERIES} times 1,000 rows of WR_db_query, a record each`,
    beside: 'node:sqlite that opens, reads and closes as often',
    aim: 1.2,
    runs: 5,
    prepare(folder) {
      const path = orders(folder);
      const query = ['WR_db_query', { connection_url: path, sql: 'SELECT * FROM orders' }];
      return {
        subject: written(
          folder,
          Array.from({ length: QUERIES }, () => query),
        ),
        floor: { args: [floor('query-rows'), path, String(QUERIES)] },
      };
    },
  },
  // Rows alone: neither a start of svc nor records. `all()` with lists takes half the time of `iterate()`, and of `all()`
  // with objects; a look at the time for each row would take a third of what reading takes.
  {
    name: `${TURNS} times 1,000 rows by the function of WR_db_query, in one process`,
    beside: 'node:sqlite that opens, reads and closes as often',
    aim: 1.2,
    runs: 5,
    prepare(folder) {
      const script = floor('rows-in-one-process');
      const path = orders(folder);
      return {
        subject: { args: [script, 'command', path, String(TURNS)] },
        floor: { args: [script, 'bare', path, String(TURNS)] },
      };
    },
  },
  {
    name: '10,000 files by WR_scan_secrets_file, a record each',
    beside: 'a script with five patterns',
    aim: 1.5,
    runs: 3,
    prepare(folder) {
      const place = join(folder, 'files');
      mkdirSync(place);
      const paths = Array.from({ length: FILES }, (_, index) => join(place, `${index}.ts`));
      const line = (index: number): string => `const value${index} = compute(${index}, "item ${index} of the list");`;
      const text = Array.from({ length: 40 }, (_, index) => line(index)).join('\n');
      for (const path of paths) writeFileSync(path, text);
      return {
        subject: written(
          folder,
          paths.map((path) => ['WR_scan_secrets_file', { path }]),
        ),
        floor: { args: [floor('scan-files'), place] },
      };
    },
  },
  {
    name: `${ENTRIES} entries by WR_ledger_record_run in SQLite, a record each`,
    beside: 'as many inserts of node:sqlite with the same durability, over one connection',
    aim: 1.5,
    runs: 3,
    prepare(folder) {
      const [ledger, bare] = ['ledger.db', 'bare.db'].map((name) => join(folder, name));
      const entry = (index: number): unknown => [
        'WR_ledger_record_run',
        [ledger, `suite/${index}.yaml`, index % 3 > 0],
      ];
      return {
        subject: written(
          folder,
          Array.from({ length: ENTRIES }, (_, index) => entry(index)),
        ),
        floor: { args: [floor('insert-rows'), bare ?? '', String(ENTRIES)] },
      };
    },
  },
  // By the profile of the page: 22 of 100 parts of its time write the file, 14 are JSON.stringify with its indentation,
  // as many look for what is to be escaped, 8 free memory, the rest joins. The page has 1.22 times the bytes.
  {
    name: 'HTML page of 10,000 records, 20 times',
    beside: 'the same records by JSON.stringify, written to a file',
    aim: 2,
    runs: 5,
    prepare(folder) {
      const script = floor('records-and-page');
      return {
        subject: { args: [script, 'page', join(folder, 'page.html')] },
        floor: { args: [script, 'lines', join(folder, 'records.jsonl')] },
      };
    },
  },
];
