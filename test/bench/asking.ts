import { Agent, request, type RequestOptions } from 'node:http';
import { connect } from 'node:net';

/** Server that is asked: an action server of one of two kinds, or a mock. */
export type Kind = 'http' | 'tcp' | 'mock';

/** The list that is asked for: one pure command. */
export const body = '[["FA_mime_detect_bytes",["aGVsbG8="]]]';

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

const headers = { 'content-type': 'application/json', 'content-length': body.length };
const list = { path: '/actions', method: 'POST', headers };

function overHttp(port: number, options: RequestOptions, sent?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ ...options, port, host: '127.0.0.1', agent }, (answer) => {
      let said = '';
      answer.on('data', (piece: Buffer) => (said += piece.toString())).on('end', () => resolve(said));
    });
    asked.on('error', reject).end(sent);
  });
}

function overTcp(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(body));
    socket.on('data', (piece: Buffer) => (said += piece.toString())).on('error', reject);
    socket.on('end', () => {
      socket.end();
      resolve(said);
    });
  });
}

/** One request; yields the answer. */
export function oneByOne(kind: Kind, port: number): Promise<string> {
  if (kind === 'tcp') return overTcp(port);
  return kind === 'http' ? overHttp(port, list, body) : overHttp(port, { path: '/item/7' });
}

async function many(kind: Kind, port: number, count: number): Promise<void> {
  let left = count;
  const work = async (): Promise<void> => {
    while (left-- > 0) await oneByOne(kind, port);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

// As a process of its own it asks, and tells when it has warmed up and when it is done.
const [kind, port] = process.argv.slice(2);
if (process.send && (kind === 'http' || kind === 'tcp' || kind === 'mock')) {
  await many(kind, Number(port), 20_000);
  process.send(0);
  const count = 10_000;
  await many(kind, Number(port), count);
  process.send(count);
  agent.destroy();
  process.disconnect();
}
