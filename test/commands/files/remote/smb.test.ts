import { existsSync, writeFileSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

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

it('a listing whose last line comes in pieces is waited for', async () => {
  await using given = clientOf((_program, _args, { input } = {}) =>
    program(async function* () {
      yield { errors: LISTED.slice(0, -15) };
      await sleep(20);
      yield { errors: LISTED.slice(-15) };
    }, input),
  );
  const listed = await given.client.ask('ls "a"', 'a', { signal: forEver });
  expect(listed.slice(-LISTED.length)).toBe(LISTED);
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

it('small content comes whole by a file of its own, whatever was listed, and the file goes', async () => {
  const files: string[] = [];
  const contents = ['first', 'second, and longer', ''];
  await using given = clientOf((_program, _args, { input } = {}) => fetching([...contents], input, files));
  const fetched = await Promise.all(
    contents.map(async () => text(await given.client.fetch('"\\a"', 'a', { signal: forEver }))),
  );
  expect(fetched.toSorted()).toEqual(contents.toSorted());
  expect(new Set(files).size).toBe(3);
  expect(files.filter((file) => existsSync(file))).toEqual([]);
});

it('the first question of a run that takes long to sign in does not cost the run', async () => {
  const asked: string[] = [];
  let runs = 0;
  await using given = clientOf((_program, _args, { input } = {}) => {
    runs += 1;
    return slowly(input, asked);
  });
  for (const folder of ['a', 'b', 'c']) await given.client.ask(`cd "${folder}"`, folder, { signal: forEver });
  expect(runs).toBe(1);
  expect(asked.filter((line) => !line.startsWith('svc-'))).toEqual(['cd "a"', 'cd "b"', 'cd "c"']);
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

/** Program that puts one content after the other into the files that it is told, and knows no mark. */
function fetching(contents: string[], input: StartOptions['input'], files: string[]): StartedProcess {
  return program(async function* (line) {
    const [, file] = /^get .* "([^"]+)"$/.exec(line) ?? [];
    if (file === undefined) return yield { errors: `${line}: command not found\n` };
    files.push(file);
    writeFileSync(file, contents[(files.length - 1) % contents.length] ?? '');
  }, input);
}

/** Program that needs a while to sign in, and reads like the real one: lines that come at once are one piece. */
function slowly(input: StartOptions['input'], asked: string[]): StartedProcess {
  const arriving = Readable.from(input ?? [], { objectMode: false });
  arriving.read(0);
  const answer = async function* (line: string): AsyncGenerator<Said, void> {
    asked.push(line);
    if (line.startsWith('svc-')) yield { errors: `${line}: command not found\n` };
  };
  return program(answer, firstLines(arriving), sleep(200));
}

/** The first line of each piece and of what has waited; the others wait for the next one. */
async function* firstLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let waiting = '';
  for await (const piece of pieces) {
    waiting += text(piece);
    const end = waiting.indexOf('\n') + 1;
    yield bytes(waiting.slice(0, end));
    waiting = waiting.slice(end);
  }
}

interface Said {
  readonly errors: string;
}

function program(
  answer: (line: string) => AsyncIterable<Said>,
  input: StartOptions['input'],
  signedIn: Promise<unknown> = Promise.resolve(),
): StartedProcess {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const { promise: ended, resolve } = Promise.withResolvers<ProcessEnd>();
  const kill = (): void => {
    output.end();
    errors.end();
    resolve({ code: null, signal: 'SIGTERM' });
  };
  const listen = async (): Promise<void> => {
    await signedIn;
    errors.write(bytes('Try "help" to get a list of possible commands.\n'));
    if (input === undefined) return;
    for await (const lines of input)
      for (const line of text(lines).split('\n').filter(Boolean))
        for await (const said of answer(line)) errors.write(bytes(said.errors));
  };
  void listen();
  return { ended, kill, release: () => undefined, streams: { output, errors } } as unknown as StartedProcess;
}

function cancellable(): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, cancel: () => controller.abort(new Error('stopped')) };
}
