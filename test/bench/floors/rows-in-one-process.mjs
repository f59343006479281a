// 1,000 rows of a file, so often in one process: by node:sqlite as objects, or by the function of WR_db_query.
import { DatabaseSync } from 'node:sqlite';

const [, , form, path, times] = process.argv;

function bare() {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare('SELECT * FROM orders').all();
  database.close();
  return rows;
}

async function command() {
  const built = (name) => import(new URL(`../../../dist/lib/${name}.js`, import.meta.url));
  const [{ WR_db_query }, sql, sqlite] = await Promise.all(
    ['stdlib/browser/data/db/db', 'runtime/services/sql/service', 'runtime/adapters/sqlite/provider'].map(built),
  );
  const folders = { cwd: process.cwd() };
  const { nodeHost } = await import(new URL('../../../dist/runtime/hosts/node.js', import.meta.url));
  const context = { host: nodeHost(), folders, settings: {}, release: () => {} };
  const adapter = await sqlite.provider.open(context);
  const port = await sql.provider.open({ ...context, port: () => adapter });
  const { signal } = new AbortController();
  const params = { connection_url: path, sql: 'SELECT * FROM orders', params: null, timeout: 30 };
  return () => WR_db_query(params, { sql: port, signal });
}

const ask = form === 'command' ? await command() : bare;
const began = process.cpuUsage();
for (let turn = 0; turn < Number(times); turn += 1) if ((await ask()).length !== 1000) process.exit(1);
const { user, system } = process.cpuUsage(began);
console.log(`${form}: ${((user + system) / 1000 / times).toFixed(3)} ms a query`);
