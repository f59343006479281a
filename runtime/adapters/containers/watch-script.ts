/** Label of the containers of one unit. */
export const WATCH = 'svc.unit';

/**
 * A program for Node, with the socket of an engine and the mark of a unit: when the process that started it is gone, it
 * removes the containers with this mark that are left. It looks several times, since the engine may still be at work on
 * one that was asked for.
 */
export const watchScript = `
const { request } = require('node:http');
const [socketPath, mark] = process.argv.slice(1);
const ask = (method, path) => new Promise((resolve) => {
  const sent = request({ socketPath, method, path, timeout: 30000 }, (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (part) => (text += part)).on('end', () => resolve(text)).on('error', () => resolve(''));
  });
  sent.on('error', () => resolve('')).on('timeout', () => sent.destroy()).end();
});
const clear = async () => {
  const filters = encodeURIComponent(JSON.stringify({ label: ['${WATCH}=' + mark] }));
  const found = JSON.parse((await ask('GET', '/containers/json?all=true&filters=' + filters)) || '[]');
  for (const { Id } of Array.isArray(found) ? found : []) await ask('DELETE', '/containers/' + Id + '?force=true&v=true');
  return found.length > 0;
};
process.on('SIGINT', () => {}).on('SIGHUP', () => {}).on('SIGTERM', () => {});
process.stdin.resume().on('error', () => {}).on('close', async () => {
  let calm = 0;
  for (let looks = 0; looks < 20 && calm < 3; looks += 1) {
    calm = (await clear().catch(() => false)) ? 0 : calm + 1;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
});
`;
