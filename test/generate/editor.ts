import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';

const root = path.resolve(import.meta.dirname, '../..');
const schema = pathToFileURL(path.join(root, 'schemas/generated/action-file.schema.json')).href;
const server = createRequire(import.meta.url).resolve('yaml-language-server/bin/yaml-language-server');
/**
 * Run inside the server: tells how much processor time it has used, which other work on the machine does not change.
 */
const meter = `process.on('message', () => process.send(process.cpuUsage()));process.channel.unref();`;

export interface Finding {
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

export interface Item {
  readonly label: string;
  readonly insertText?: string;
  readonly sortText?: string;
  readonly textEdit?: { readonly newText: string };
  readonly documentation?: string | { readonly value: string };
}

/** An editor that knows only the schema of action files: a client of the YAML language server, over the wire. */
export class Editor {
  readonly #process;
  readonly #connection;
  readonly #findings = new Map<string, (findings: readonly Finding[]) => void>();
  #count = 0;

  private constructor() {
    this.#process = spawn(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(meter)}`, server, '--stdio'],
      { stdio: ['pipe', 'pipe', 'ignore', 'ipc'] },
    );
    const { stdin, stdout } = this.#process;
    if (!stdin || !stdout) throw new Error('the language server has no pipes');
    this.#connection = createMessageConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
  }

  static async start(): Promise<Editor> {
    const editor = new Editor();
    await editor.#initialize();
    return editor;
  }

  async #initialize(): Promise<void> {
    const connection = this.#connection;
    const settings = {
      schemas: { [schema]: '*' },
      schemaStore: { enable: false },
      completion: true,
      hover: true,
    };
    connection.onRequest('workspace/configuration', ({ items }: { items: readonly { section: string }[] }) =>
      items.map(({ section }) => (section === 'yaml' ? settings : null)),
    );
    connection.onRequest('client/registerCapability', () => null);
    connection.onNotification(
      'textDocument/publishDiagnostics',
      ({ uri, diagnostics }: { uri: string; diagnostics: readonly Finding[] }) =>
        this.#findings.get(uri)?.(diagnostics),
    );
    connection.listen();
    await connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: {
        workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } },
        textDocument: { completion: { completionItem: { snippetSupport: true } } },
      },
    });
    await connection.sendNotification('initialized', {});
    await connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { yaml: settings },
    });
  }

  /** Findings of the server about a text. */
  async check(text: string): Promise<readonly Finding[]> {
    const uri = this.#nextUri();
    const findings = new Promise<readonly Finding[]>((resolve) => this.#findings.set(uri, resolve));
    await this.#open(uri, text);
    return findings;
  }

  /** Items offered at the place of `|` in a text. */
  async complete(marked: string): Promise<readonly Item[]> {
    const { uri, position } = await this.#openAt(marked);
    const list = await this.#connection.sendRequest<{ readonly items: readonly Item[] }>('textDocument/completion', {
      textDocument: { uri },
      position,
    });
    return list.items;
  }

  /** Text shown over the place of `|` in a text. */
  async hover(marked: string): Promise<string> {
    const { uri, position } = await this.#openAt(marked);
    const hover = await this.#connection.sendRequest<{
      readonly contents: { readonly value: string };
    } | null>('textDocument/hover', { textDocument: { uri }, position });
    return hover?.contents.value ?? '';
  }

  /** Seconds of processor time that the server has used. */
  async seconds(): Promise<number> {
    const answer = once(this.#process, 'message');
    this.#process.send('?');
    const [{ user, system }] = (await answer) as [NodeJS.CpuUsage];
    return (user + system) / 1e6;
  }

  async close(): Promise<void> {
    const exit = once(this.#process, 'exit');
    this.#connection.dispose();
    this.#process.kill();
    await exit;
  }

  async #openAt(marked: string): Promise<{ uri: string; position: { line: number; character: number } }> {
    const uri = this.#nextUri();
    const before = marked.slice(0, marked.indexOf('|'));
    await this.#open(uri, before + marked.slice(before.length + 1));
    const lines = before.split('\n');
    return { uri, position: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 } };
  }

  #nextUri(): string {
    return `file:///actions-${++this.#count}.yaml`;
  }

  async #open(uri: string, text: string): Promise<void> {
    await this.#connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });
  }
}
