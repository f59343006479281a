import { request } from 'undici';

const [, , url, count, width] = process.argv;
let next = 0;
async function worker() {
  while (next < Number(count)) {
    next += 1;
    const { statusCode, body } = await request(url);
    await body.json();
    if (statusCode !== 200) throw new Error(String(statusCode));
  }
}
await Promise.all(Array.from({ length: Number(width) }, worker));
