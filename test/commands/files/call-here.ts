import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { cipher } from '#runtime/adapters/cipher/provider.ts';
import { provider as csvProvider } from '#runtime/adapters/csv/provider.ts';
import { provider as diffProvider } from '#runtime/adapters/text-diff/provider.ts';
import { provider as templateProvider } from '#runtime/adapters/templates/provider.ts';
import { provider as compressionProvider } from '#runtime/adapters/compression/provider.ts';
import { provider as sevenZipProvider } from '#runtime/adapters/seven-zip/provider.ts';
import { provider as tarProvider } from '#runtime/adapters/tar/provider.ts';
import { provider as zipProvider } from '#runtime/adapters/zip/provider.ts';
import { provider as archiveRulesProvider } from '#runtime/services/archive-rules/service.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { Base, PortContext, Ports, Settings } from '#runtime/kernel/ports.ts';
import { openProgress } from '#runtime/services/progress/open-progress.ts';
import { makeRegex } from '#runtime/kernel/values/regex.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { CommandFunction } from '#stdlib/command.ts';
import { asFailure } from '#runtime/kernel/as-failure.ts';

/** Contents by path; folders above are made. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface Place extends AsyncDisposable {
  /** A new folder, removed by `close`. */
  readonly root: string;
  path(...parts: string[]): string;
  make(files: Files): Promise<void>;
  readonly context: Base &
    Pick<
      Ports,
      | 'files'
      | 'clock'
      | 'random'
      | 'digests'
      | 'environment'
      | 'zip'
      | 'tar'
      | 'compression'
      | 'sevenZip'
      | 'archiveRules'
      | 'regex'
      | 'processes'
      | 'progress'
      | 'cipher'
      | 'csv'
      | 'textDiff'
      | 'templates'
    >;
  readonly masked: string[];
  close(): Promise<void>;
}

export interface PlaceOptions {
  readonly signal?: AbortSignal;
  readonly limits?: Settings['limits'];
  readonly env?: Readonly<Record<string, string>>;
  readonly durable?: boolean;
  readonly base?: string;
}

/** Real files in a folder of their own, and the ports of file commands over the real host. */
export async function openPlace({
  signal = new AbortController().signal,
  limits = {},
  env = {},
  durable = false,
  base = tmpdir(),
}: PlaceOptions = {}): Promise<Place> {
  const root = await mkdtemp(join(base, 'svc-files-'));
  const host = nodeHost();
  const folders = { cwd: host.cwd, root: host.cwd, here: root };
  const masked: string[] = [];
  const mask = (secret: string): void => void masked.push(secret);
  const portContext = {
    host,
    folders,
    settings: { gates: {}, limits },
    mask,
    excerpt: (text: string, length: number) => text.slice(0, length),
    port: async () => compressionProvider.open({} as PortContext),
  } as unknown as PortContext;
  const context = {
    signal,
    step: { id: '#0', command: '', attempt: 1, statusJudged: false },
    folders,
    attach: () => undefined,
    require: () => undefined,
    mask,
    excerpt: (text: string, length: number) => text.slice(0, length),
    durable,
    files: host.files,
    clock: host.clock,
    random: host.random,
    digests: { open: (name: string) => host.digest(name) ?? unknownDigest(name), names: host.digests },
    environment: {
      get: (key: string) => env[key],
      read: (key: string) => env[key],
      load: () => undefined,
      all: () => env,
      parse: () => ({}),
    },
    regex: makeRegex(host),
    processes: host.processes,
    progress: openProgress(host.clock),
    cipher,
    csv: await csvProvider.open(portContext),
    textDiff: await diffProvider.open(portContext),
    templates: await templateProvider.open(portContext),
    zip: await zipProvider.open(portContext),
    tar: await tarProvider.open(portContext),
    compression: await compressionProvider.open(portContext),
    sevenZip: await sevenZipProvider.open(portContext),
    archiveRules: await archiveRulesProvider.open(portContext),
  } as Place['context'];
  const make = async (files: Files): Promise<void> => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), content);
    }
  };
  const close = (): Promise<void> => removeAll(root);
  return { root, path: (...parts) => join(root, ...parts), make, context, masked, close, [Symbol.asyncDispose]: close };
}

function unknownDigest(name: string): never {
  throw new Error(`no digest ${name}`);
}

/** Calls a function as the kernel would, with parameters already filled. */
export async function call<Name extends keyof CommandMap>(
  fn: CommandFunction<Name>,
  place: Place,
  params: CommandMap[Name]['params'],
): Promise<CommandMap[Name]['result']> {
  return fn(params, place.context as never);
}

/** The failure of a call; a call that succeeds fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  try {
    await work;
  } catch (error) {
    return asFailure(error, 'FA_test');
  }
  throw new Error('the call succeeded');
}

/** Removes a folder with all below it, also folders that allow no change to their owner. */
async function removeAll(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    await openFolders(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await openFolders(join(folder, entry.name));
}
