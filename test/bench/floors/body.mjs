import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { request } from 'undici';

const [, , way, url, file] = process.argv;
const options = way === 'up' ? { method: 'POST', body: createReadStream(file) } : {};
const { statusCode, body } = await request(url, options);
if (statusCode !== 200) throw new Error(String(statusCode));
if (way === 'up') await body.dump();
else await pipeline(body, createWriteStream(file));
