// node:sqlite: so many inserts, each on the disk before the next begins.
import { DatabaseSync } from 'node:sqlite';

const [, , path, count] = process.argv;
const database = new DatabaseSync(path);
database.exec(`PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, path TEXT NOT NULL, passed INTEGER NOT NULL, time TEXT)`);
const insert = database.prepare('INSERT INTO runs (path, passed, time) VALUES (?, ?, ?)');
for (let index = 0; index < Number(count); index += 1)
  insert.run(`suite/${index}.yaml`, index % 3 > 0 ? 1 : 0, new Date().toISOString());
database.close();
