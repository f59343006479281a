import { readFileSync } from 'node:fs';

import { parseDocument } from 'yaml';

parseDocument(readFileSync(process.argv[2], 'utf8')).toString({ lineWidth: 120 });
