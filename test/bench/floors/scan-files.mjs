// Five patterns over every file of a folder.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const patterns = [
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{36,}/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/g,
  /(?:password|secret|token)\s*[:=]\s*["'][^"']{8,}["']/gi,
];
const [, , folder] = process.argv;
let found = 0;
for (const name of readdirSync(folder)) {
  const text = await readFile(join(folder, name), 'utf8');
  for (const pattern of patterns) found += [...text.matchAll(pattern)].length;
}
console.log(found);
