import { readFileSync } from 'node:fs';

JSON.parse(readFileSync(process.argv[2], 'utf8'));
