// node:sqlite: opens a file, reads all its rows, closes it, so often.
import { DatabaseSync } from 'node:sqlite';

const [, , path, times] = process.argv;
for (let turn = 0; turn < Number(times); turn += 1) {
  const database = new DatabaseSync(path, { readOnly: true });
  if (database.prepare('SELECT * FROM orders').all().length !== 1000) process.exit(1);
  database.close();
}
