import { readFileSync } from 'node:fs';

import { load } from 'js-yaml';

load(readFileSync(process.argv[2], 'utf8'));
