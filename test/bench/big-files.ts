import { closeSync, openSync, writeSync } from 'node:fs';

import { drawing, prose } from './many-files.ts';

/** Sizes that the figures are about, with `SVC_TEST_FULL`; else parts of them, so that a pass takes minutes. */
const isFull = Boolean(process.env['SVC_TEST_FULL']);
export const textSize = isFull ? '1 GiB' : '256 MiB';
export const textBytes = isFull ? 1 << 30 : 1 << 28;
export const tableSize = isFull ? '1 GiB' : '64 MiB';

export function bigText(path: string): void {
  const block = `${prose((1 << 20) - 1, drawing())}\n`;
  fill(path, textBytes, () => block);
}

/** Five columns; every fiftieth row has a cell in quotes. */
export function bigTable(path: string): void {
  const draw = drawing();
  let id = 0;
  const word = (): string => prose(6, draw).replace('\n', ' ').trim();
  const cells = Array.from({ length: 997 }, word);
  const row = (): string => {
    id += 1;
    const cell = (step: number): string => cells[(id * step) % cells.length] ?? '';
    return `${id},${cell(3)},${id % 20 === 0 ? 'river' : cell(7)},${(draw() * 1e5).toFixed(2)},${id % 50 === 0 ? `"quoted, ${cell(11)} ""so"""` : cell(13)}\n`;
  };
  fill(
    path,
    isFull ? 1 << 30 : 1 << 26,
    () => Array.from({ length: 10_000 }, row).join(''),
    'id,name,city,amount,note\n',
  );
}

function fill(path: string, bytes: number, next: () => string, start = ''): void {
  const file = openSync(path, 'w');
  let size = writeSync(file, start);
  while (size < bytes) size += writeSync(file, next());
  closeSync(file);
}
