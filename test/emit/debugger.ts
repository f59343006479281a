import { spawn } from 'node:child_process';

/** Place where a program stopped, and a way to ask there. */
export interface Paused {
  readonly hitBreakpoints: readonly string[];
  /** From 0, in the program. */
  readonly line: number;
  evaluate(expression: string): Promise<unknown>;
}

/** A program under a debugger that speaks the inspector protocol, as an editor does. */
export interface Debugged {
  /** Sets a breakpoint in a file by its URL; line and column from 0. */
  breakAt(url: string, line: number, column: number): Promise<string>;
  /** Begins, or goes on, until it stops again. */
  next(): Promise<Paused>;
  /** Goes away; the program runs to its end. Resolves with its exit status. */
  leave(): Promise<number | null>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly hitBreakpoints?: readonly string[];
    readonly callFrames?: readonly {
      readonly callFrameId: string;
      readonly location: { readonly lineNumber: number };
    }[];
  };
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** Starts a program that waits for its debugger, on a free port of this machine. */
export async function debugProgram(program: string, args: readonly string[], cwd: string): Promise<Debugged> {
  const child = spawn(process.execPath, ['--inspect-brk=127.0.0.1:0', program, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const socket = new WebSocket(await addressOf(child.stderr));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error('the debugger refused')), { once: true });
  });
  const { send, whenPaused } = protocol(socket);
  await send('Debugger.enable');
  // The first stop is at the beginning of the program, where no breakpoint stands.
  const begun = whenPaused();
  await send('Runtime.runIfWaitingForDebugger');
  await begun;
  return {
    breakAt: async (url, lineNumber, columnNumber) =>
      String((await send('Debugger.setBreakpointByUrl', { url, lineNumber, columnNumber }))['breakpointId']),
    async next() {
      const paused = whenPaused();
      await send('Debugger.resume');
      const { params } = await paused;
      const frame = params?.callFrames?.[0];
      return {
        hitBreakpoints: params?.hitBreakpoints ?? [],
        line: frame?.location.lineNumber ?? -1,
        evaluate: async (expression) =>
          (
            (
              await send('Debugger.evaluateOnCallFrame', {
                callFrameId: frame?.callFrameId,
                expression,
                returnByValue: true,
              })
            )['result'] as { readonly value?: unknown }
          ).value,
      };
    },
    leave() {
      socket.close();
      return exit;
    },
  };
}

function protocol(socket: WebSocket): {
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  whenPaused(): Promise<Message>;
} {
  let last = 0;
  const waiting = new Map<number, (message: Message) => void>();
  let onPaused: ((message: Message) => void) | undefined;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else if (message.method === 'Debugger.paused') onPaused?.(message);
  });
  return {
    send: (method, params = {}) =>
      new Promise((resolve, reject) => {
        const id = (last += 1);
        waiting.set(id, ({ result, error }) =>
          error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result ?? {}),
        );
        socket.send(JSON.stringify({ id, method, params }));
      }),
    whenPaused: () =>
      new Promise((resolve) => {
        onPaused = resolve;
      }),
  };
}

/** Node prints where its debugger listens. */
function addressOf(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    stream.on('data', (chunk) => {
      text += String(chunk);
      const address = /ws:\/\/\S+/.exec(text)?.[0];
      if (address !== undefined) resolve(address);
    });
    stream.on('end', () => reject(new Error(`no debugger came up: ${text}`)));
  });
}
