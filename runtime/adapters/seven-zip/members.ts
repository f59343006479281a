import type { SevenZipMember } from './port.ts';

/** Members in a list in technical form: blocks of `Key = value`, divided by empty lines. */
export function parseMembers(lines: readonly string[]): readonly SevenZipMember[] {
  const blocks: Map<string, string>[] = [];
  let block = new Map<string, string>();
  for (const line of lines) {
    const [, key, value] = /^(?:.*\x08)?\s*([A-Z][A-Za-z -]*) = ?(.*)$/s.exec(line) ?? [];
    if (key === 'Path') blocks.push((block = new Map()));
    // The first of two lines with one key counts: a name cannot add facts about itself.
    if (key !== undefined && value !== undefined && !block.has(key)) block.set(key, value);
  }
  return blocks.map(memberOf);
}

const OTHER = ['Symbolic Link', 'Hard Link', 'Copy Link', 'Link', 'Anti', 'Alternate Stream'];

function memberOf(facts: ReadonlyMap<string, string>): SevenZipMember {
  const attributes = facts.get('Attributes') ?? '';
  const unix = /(?:^| )([-dlbcps][-rwxsStT]{9})$/.exec(attributes)?.[1];
  const isFolder =
    facts.get('Folder') === '+' || unix?.startsWith('d') === true || (unix === undefined && /^\S*D/.test(attributes));
  const isOther =
    OTHER.some((key) => !['', '-', undefined].includes(facts.get(key))) || (unix !== undefined && !/^[-d]/.test(unix));
  const time = Date.parse((facts.get('Modified') ?? '').replace(' ', 'T').replace(/(\.\d{3})\d*$/, '$1'));
  return {
    name: facts.get('Path') ?? '',
    kind: isOther ? 'other' : isFolder ? 'folder' : 'file',
    size: Number(facts.get('Size') ?? 0) || 0,
    mode: unix === undefined ? undefined : bitsOf(unix),
    modifiedMs: Number.isNaN(time) ? undefined : time,
  };
}

function bitsOf(unix: string): number {
  return [...unix.slice(1)].reduce((bits, letter) => bits * 2 + (/[-ST]/.test(letter) ? 0 : 1), 0);
}

/** Bytes of memory that unpacking takes at least: the largest dictionary. */
export function memoryFor(lines: readonly string[]): number {
  const methods = lines.filter((line) => line.startsWith('Method = '));
  return Math.max(
    0,
    ...methods.flatMap((line) =>
      [...line.matchAll(/:(?:o\d+:)?(?:mem)?(\d+)([bkmg]?)/gi)].map(([, number = '', unit = '']) =>
        sizeOf(Number(number), unit.toLowerCase()),
      ),
    ),
  );
}

/** A number without a unit is the exponent of a power of two. */
function sizeOf(number: number, unit: string): number {
  const units: Readonly<Record<string, number>> = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };
  return unit === '' ? 2 ** Math.min(number, 40) : number * (units[unit] ?? 1);
}

/** Whether some member can be read with a password only. */
export function isEncrypted(lines: readonly string[]): boolean {
  return lines.includes('Encrypted = +');
}
