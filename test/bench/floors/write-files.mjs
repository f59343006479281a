import { promises } from 'node:fs';
import { join } from 'node:path';

const [, , folder, count] = process.argv;
await promises.mkdir(folder, { recursive: true });
for (let index = 0; index < Number(count); index += 1) await promises.writeFile(join(folder, `${index}.txt`), `line ${index}`);
