import { join } from 'node:path';

import { actionProgram, type Action } from '../action-program.ts';
import { bigTable, bigText, tableSize, textSize } from '../big-files.ts';
import type { Figure } from '../figure.ts';
import { manyFiles } from '../many-files.ts';

interface Work {
  readonly name: string;
  readonly aim: number;
  readonly beside: string;
  readonly peer: readonly [program: string, ...args: string[]];
  readonly make: (folder: string) => void;
  readonly action: Action;
  readonly runs?: number;
}

const tree = (folder: string): void => manyFiles(join(folder, 'many'));
const text = (folder: string): void => bigText(join(folder, 'big.txt'));
const table = (folder: string): void => bigTable(join(folder, 'big.csv'));

const works: readonly Work[] = [
  {
    name: 'find by name among 20,000 files',
    aim: 5,
    beside: '`find -name`',
    peer: ['find', 'many', '-name', '*.log'],
    make: tree,
    action: ['FA_fast_find', { root: 'many', pattern: '*.log', use_index: false }],
  },
  {
    name: 'duplicates among 20,000 files',
    aim: 1.4,
    beside: '`jdupes -rq`',
    peer: ['jdupes', '-rq', 'many'],
    make: tree,
    action: ['FA_find_duplicates', { root: 'many' }],
    runs: 7,
  },
  {
    name: 'grep of 20,000 files',
    aim: 2.5,
    beside: '`grep -r`',
    peer: ['grep', '-r', 'needle', 'many'],
    make: tree,
    action: ['FA_grep', { root: 'many', pattern: 'needle' }],
    runs: 7,
  },
  {
    name: 'grep of 20,000 files, beside rg',
    aim: 2.5,
    beside: '`rg`',
    peer: ['rg', 'needle', 'many'],
    make: tree,
    action: ['FA_grep', { root: 'many', pattern: 'needle' }],
    runs: 7,
  },
  {
    name: `sha256 of ${textSize}`,
    aim: 1.05,
    beside: '`openssl dgst -sha256`',
    peer: ['openssl', 'dgst', '-sha256', 'big.txt'],
    make: text,
    action: ['FA_file_checksum', { path: 'big.txt' }],
    runs: 5,
  },
  {
    name: `line count of ${textSize}`,
    aim: 5,
    beside: '`wc -l`',
    peer: ['wc', '-l', 'big.txt'],
    make: text,
    action: ['FA_line_count', { file_path: 'big.txt' }],
    runs: 5,
  },
  {
    name: `CSV filter of ${tableSize}`,
    aim: 5,
    beside: '`mlr` (miller)',
    peer: ['mlr', '--icsv', '--ocsv', 'filter', '$city=="river"', 'then', 'cut', '-of', 'id,amount', 'big.csv'],
    make: table,
    action: [
      'FA_csv_filter',
      { src: 'big.csv', target: 'river.csv', columns: ['id', 'amount'], where_column: 'city', where_equals: 'river' },
    ],
    runs: 1,
  },
];

/** Whole processes beside the programs that people use by hand; what they read is in the machine's memory. */
export const figures: readonly Figure[] = works.map(({ make, action, peer, ...facts }) => ({
  ...facts,
  prepare(folder) {
    make(folder);
    const [name, ...args] = peer;
    return { subject: actionProgram(folder, action), floor: { program: name, args, cwd: folder } };
  },
}));
