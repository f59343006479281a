import { Broken } from './broken.ts';

/** A number field: octal digits between blanks and zeros, or big-endian with the highest bit set (GNU). */
export function numberAt(block: Uint8Array, at: number, length: number): number {
  const first = block[at] ?? 0;
  return (first & 0x80) === 0 ? octal(block.subarray(at, at + length)) : binary(block.subarray(at, at + length));
}

function octal(field: Uint8Array): number {
  const text = String.fromCharCode(...field)
    .replace(/\0.*$/s, '')
    .trim();
  if (text === '') return 0;
  if (!/^[0-7]+$/.test(text)) throw new Broken(`"${text}" is no number of a tar header`);
  return safe(Number.parseInt(text, 8));
}

/** Number in two's complement, so that times before 1970 have a place. */
function binary(field: Uint8Array): number {
  const isNegative = field[0] === 0xff;
  let value = isNegative ? -1n : BigInt((field[0] ?? 0) & 0x7f);
  for (const byte of field.subarray(1)) value = (value << 8n) | BigInt(byte);
  return safe(Number(value));
}

/** Decimal digits of an extended header. */
export function decimal(text: string | undefined): number {
  if (text === undefined || !/^\d{1,16}$/.test(text))
    throw new Broken(`"${text ?? ''}" is no number of an extended header`);
  return safe(Number(text));
}

function safe(value: number): number {
  if (!Number.isSafeInteger(value)) throw new Broken('a number is too large');
  return value;
}
