import type { Scaffold } from './scaffold.ts';
import { readIfThere, WrongUse } from './scaffold.ts';

/**
 * A provider of a port of its own, with what every provider of that port promises as a conformance suite, and
 * the test that holds this one to it. Its output passes every check as it stands; its author changes it from
 * there.
 */
export function scaffoldProvider(root: string, name: string, folder: string): Scaffold {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new WrongUse(`"${name}" is no name of a provider: small words with "-", such as object-store`);
  if (folder !== 'adapters' && folder !== 'services')
    throw new WrongUse(
      `"${folder}" holds no providers: "adapters" wrap one package or protocol, "services" put ports together`,
    );
  const place = `runtime/${folder}/${name}`;
  if (readIfThere(root, `${place}/port.yaml`) !== undefined)
    throw new WrongUse(`there is a provider in ${place} already`);
  const port = name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const type = `${port.charAt(0).toUpperCase()}${port.slice(1)}`;
  const test = `test/${folder}/${name}.test.ts`;
  return {
    files: [
      [`${place}/port.yaml`, declarationText(port)],
      [`${place}/port.ts`, portText(port, type)],
      [`${place}/provider.ts`, providerText(port, type)],
      [`test/conformance/${name}.ts`, conformanceText(port, type, place)],
      [test, testText(port, type, { name, place })],
    ],
    next: [
      `${place}/port.ts: say what commands may ask of it, and what it promises`,
      `test/conformance/${name}.ts: hold every provider of the port to these promises, against a real counterpart`,
      `${place}/provider.ts: write it; what goes wrong is thrown as fail.… and named under "failures" in port.yaml, bounds stand under "limits"`,
      `commands ask for it by "needs: [${port}]"; one of several, by scheme of an address: "choose" in the port.yaml that they share (runtime/README.md)`,
      `npm run generate && npm test -- ${folder}/${name} port-failures`,
    ],
  };
}

function declarationText(port: string): string {
  return `port: ${port}
module: provider.ts
needs: []
externals: []
`;
}

function portText(port: string, type: string): string {
  return `declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly ${port}: ${type};
  }
}

/** Texts by key, for the unit that asks. */
export interface ${type} {
  /** Keeps a text. Rejects with the signal's reason when it is aborted, and has changed nothing then. */
  put(key: string, text: string, signal: AbortSignal): Promise<void>;
  /** The text of a key; undefined where there is none. */
  get(key: string, signal: AbortSignal): Promise<string | undefined>;
}
`;
}

function providerText(port: string, type: string): string {
  return `import type { Provider } from '#runtime/kernel/ports.ts';

import type { ${type} } from './port.ts';

export const provider: Provider<'${port}'> = {
  open: ({ release }) => {
    const opened = new Opened();
    release(() => opened.close());
    return opened;
  },
};

class Opened implements ${type} {
  readonly #texts = new Map<string, string>();

  async put(key: string, text: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#texts.set(key, text);
  }

  async get(key: string, signal: AbortSignal): Promise<string | undefined> {
    signal.throwIfAborted();
    return this.#texts.get(key);
  }

  /** Lets go at the end of the unit, whatever became of its steps. */
  close(): void {
    this.#texts.clear();
  }
}
`;
}

function conformanceText(port: string, type: string, place: string): string {
  return `import { describe, expect, it } from 'vitest';

import type { ${type} } from '#${place}/port.ts';

/** A provider as a unit has it, until the unit ends. */
export interface Opened${type} {
  readonly ${port}: ${type};
  end(): Promise<void>;
}

/** Promises of every provider of the port \`${port}\`, whatever stands behind it. */
export function ${port}Conformance(name: string, open: () => Promise<Opened${type}>): void {
  const { signal } = new AbortController();

  describe(\`\${name} provides ${port}\`, () => {
    it('gives what it was given, as it is', async () => {
      const { ${port}, end } = await open();
      const texts = { plain: 'value', empty: '', long: 'x'.repeat(100_000), ümlaut: 'ä€😀\\n', __proto__x: '1' };
      for (const [key, text] of Object.entries(texts)) await ${port}.put(key, text, signal);
      for (const [key, text] of Object.entries(texts)) expect(await ${port}.get(key, signal)).toBe(text);
      expect(await ${port}.get('constructor', signal)).toBeUndefined();
      await end();
    });

    it('stops where the step was cancelled, and has changed nothing', async () => {
      const { ${port}, end } = await open();
      const reason = new Error('cancelled');
      await expect(${port}.put('key', 'text', AbortSignal.abort(reason))).rejects.toBe(reason);
      expect(await ${port}.get('key', signal)).toBeUndefined();
      await end();
    });

    it('lets go at the end of the unit, also twice', async () => {
      const { end } = await open();
      await end();
      await end();
    });
  });
}
`;
}

function testText(
  port: string,
  type: string,
  { name, place }: { readonly name: string; readonly place: string },
): string {
  return `import { provider } from '#${place}/provider.ts';

import { ${port}Conformance, type Opened${type} } from '../conformance/${name}.ts';
import { unitContext } from '../fixtures/unit-context.ts';

async function open(): Promise<Opened${type}> {
  const { context, end } = unitContext();
  return { ${port}: await provider.open(context), end };
}

${port}Conformance('${name}', open);
`;
}
