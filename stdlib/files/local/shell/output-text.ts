import { openDecoder } from '#grammar/encoding/open-decoder.ts';
import type { Reading } from '#grammar/encoding/reading.ts';

/** Characters and lines of standard error that a failure shows. */
const shownCharacters = 600;
const shownLines = 8;

/** Output of a program, with a last line that says so where it was more than `limit` bytes. */
export function outputText(bytes: Uint8Array, reading: Reading, limit: number): string {
  const decoder = openDecoder(reading, false);
  const text = decoder.decode(bytes.subarray(0, limit)) + decoder.end();
  return bytes.length > limit ? `${text}\n[only the first ${limit} bytes are kept]\n` : text;
}

/** End of standard error, for a failure; empty where it is blank. */
export function lastLines(stderr: string): string {
  const lines = stderr.trimEnd().split(/\r?\n/).slice(-shownLines).join('\n').slice(-shownCharacters);
  return lines.trim() === '' ? '' : `: ${lines}`;
}
