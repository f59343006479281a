import { Agent, request } from 'node:http';
import { connect } from 'node:net';

/** The list that is asked for: one pure command. */
export const body = '[["FA_mime_detect_bytes",["aGVsbG8="]]]';

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

function overHttp(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const asked = request({ port, host: '127.0.0.1', agent, path: '/actions', method: 'POST', headers }, (answer) => {
      let said = '';
      answer.on('data', (piece: Buffer) => (said += piece.toString())).on('end', () => resolve(said));
    });
    asked.on('error', reject).end(body);
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
export function oneByOne(kind: 'http' | 'tcp', port: number): Promise<string> {
  return kind === 'http' ? overHttp(port) : overTcp(port);
}

async function many(kind: 'http' | 'tcp', port: number, count: number): Promise<void> {
  let left = count;
  const work = async (): Promise<void> => {
    while (left-- > 0) await oneByOne(kind, port);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

// As a process of its own it asks, and tells when it has warmed up and when it is done.
const [kind, port] = process.argv.slice(2);
if (process.send && (kind === 'http' || kind === 'tcp')) {
  await many(kind, Number(port), 20_000);
  process.send(0);
  const count = 10_000;
  await many(kind, Number(port), count);
  process.send(count);
  agent.destroy();
  process.disconnect();
}
