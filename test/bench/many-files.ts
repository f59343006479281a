import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = 20_000;
const FOLDERS = 1_000;
const words =
  'alpha beta gamma delta river stone window orange quiet paper engine silver table morning number simple garden letter bridge yellow'.split(
    ' ',
  );

/** The same numbers in every run, from 0 to 1. */
export function drawing(): () => number {
  let state = 1;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** Lines of words, of so many letters. */
export function prose(length: number, draw: () => number): string {
  let text = '';
  while (text.length < length) text += `${words[Math.floor(draw() * words.length)]}${draw() < 0.12 ? '\n' : ' '}`;
  return text.slice(0, length);
}

/**
 * 20,000 files of text in 1,000 folders on two levels, from 256 bytes to 64 KiB, small ones as frequent as large ones:
 * every fourth is a copy of the one before. One of a hundred holds the word `needle`, one of ten is a `.log`.
 */
export function manyFiles(root: string): void {
  const draw = drawing();
  for (let folder = 0; folder < FOLDERS; folder += 1) mkdirSync(folderOf(root, folder), { recursive: true });
  let content = '';
  for (let index = 0; index < FILES; index += 1) {
    if (index % 4 !== 3)
      content = `file ${index}\n${prose(256 * 256 ** draw(), draw)}${index % 100 === 0 ? ' needle\n' : '\n'}`;
    writeFileSync(
      join(folderOf(root, (index * 7) % FOLDERS), `f${index}.${index % 10 === 0 ? 'log' : 'txt'}`),
      content,
    );
  }
}

function folderOf(root: string, index: number): string {
  return join(root, `d${index % 40}`, `e${Math.floor(index / 40)}`);
}
