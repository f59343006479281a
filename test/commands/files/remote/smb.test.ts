import { PassThrough } from 'node:stream';

import { expect, it } from 'vitest';

import type { Ports } from '#runtime/kernel/ports.ts';
import type { ProcessEnd, Processes, StartedProcess, StartOptions } from '#schemas/types/host.ts';
import { SmbClient } from '#stdlib/files/backends/smb/smb-client.ts';

import { unitContext } from '../../../fixtures/unit-context.ts';

const login = { server: 'files.test', share: 'in', port: 445, encrypt: false, timeoutMs: 10_000 };

/** A client whose program is `start`. */
function clientOf(start: Processes['start'], checkHost = async (): Promise<string[]> => ['127.0.0.1']) {
  const { context, end } = unitContext();
  const outbound = { checkHost } as unknown as Ports['outbound'];
  const processes = { ...context.host.processes, find: () => '/smbclient', start };
  const client = new SmbClient({ ...context, host: { ...context.host, processes } }, outbound, login, 'in', 'smb');
  return {
    client,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await end();
    },
  };
}

it('a question that is cancelled while its server is looked up ends at once, and starts no program', async () => {
  const { signal, cancel } = cancellable();
  const started: string[] = [];
  const start = (program: string): never => {
    started.push(program);
    throw new Error('started');
  };
  await using given = clientOf(start, async () => {
    cancel();
    return ['127.0.0.1'];
  });
  await expect(given.client.ask('ls "a"', 'a', { signal })).rejects.toThrow('stopped');
  expect(started).toEqual([]);
});

it('questions at once are asked of four runs; one that waits for its turn and is cancelled takes none', async () => {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  await using given = clientOf((_program, _args, { input } = {}) => answering(input, asked, answers));
  const { signal, cancel } = cancellable();
  const first = ['a', 'b', 'c', 'd'].map((name) => given.client.ask(`ls "${name}"`, name, { signal: forEver }));
  const waiting = given.client.ask('ls "e"', 'e', { signal });
  const last = given.client.ask('ls "f"', 'f', { signal: forEver });
  await expect.poll(() => asked.length).toBe(4);
  cancel();
  await expect(waiting).rejects.toThrow('stopped');
  answers.shift()?.();
  await expect.poll(() => asked).toEqual(['ls "a"', 'ls "b"', 'ls "c"', 'ls "d"', 'ls "f"']);
  for (const answer of answers) answer();
  await Promise.all([...first, last]);
});

it('content of another length than was listed ends the run, so that no rest is taken for the next answer', async () => {
  const runs: string[][] = [];
  await using given = clientOf((_program, _args, { input } = {}) => {
    const asked: string[] = [];
    runs.push(asked);
    return fetching('grown', input, asked);
  });
  expect(text(await given.client.fetch('"\\a"', 'a', 3, { signal: forEver }))).toBe('grown');
  expect(text(await given.client.fetch('"\\a"', 'a', 5, { signal: forEver }))).toBe('grown');
  expect(text(await given.client.fetch('"\\a"', 'a', 5, { signal: forEver }))).toBe('grown');
  expect(runs.map((asked) => asked.length)).toEqual([1, 2]);
});

const { signal: forEver } = new AbortController();
const LISTED = '\t\t9 blocks of size 1024. 9 blocks available\n';
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytes = (given: string): Uint8Array => new TextEncoder().encode(given);

/** Program that answers each listing when it is told to. */
function answering(input: StartOptions['input'], asked: string[], answers: (() => void)[]): StartedProcess {
  return program(async function* (line) {
    asked.push(line);
    await new Promise<void>((resolve) => answers.push(resolve));
    yield { errors: LISTED };
  }, input);
}

/** Program that fetches the same content again and again, and knows no mark. */
function fetching(content: string, input: StartOptions['input'], asked: string[]): StartedProcess {
  return program(async function* (line) {
    if (line.startsWith('get ')) {
      asked.push(line);
      yield { output: content };
    } else yield { errors: `${line}: command not found\n` };
  }, input);
}

interface Said {
  readonly output?: string;
  readonly errors?: string;
}

function program(answer: (line: string) => AsyncIterable<Said>, input: StartOptions['input']): StartedProcess {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const { promise: ended, resolve } = Promise.withResolvers<ProcessEnd>();
  const kill = (): void => {
    output.end();
    errors.end();
    resolve({ code: null, signal: 'SIGTERM' });
  };
  const listen = async (): Promise<void> => {
    if (input === undefined) return;
    for await (const lines of input)
      for (const line of text(lines).split('\n').filter(Boolean))
        for await (const said of answer(line)) {
          if (said.output !== undefined) output.write(bytes(said.output));
          if (said.errors !== undefined) errors.write(bytes(said.errors));
        }
  };
  void listen();
  return { ended, kill, release: () => undefined, streams: { output, errors } } as unknown as StartedProcess;
}

function cancellable(): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, cancel: () => controller.abort(new Error('stopped')) };
}
