import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Channel } from '#compiler/engine/worker/channel.ts';
import { checkToWorker } from '#compiler/engine/worker/check-message.ts';
import { toParent } from '#compiler/engine/worker/fork-transport.ts';
import type { FromWorker, ToWorker, UnitJob } from '#compiler/engine/worker/protocol.ts';
import { connect } from '#compiler/engine/worker/socket-transport.ts';
import { tellEvents } from '#compiler/engine/worker/tell-events.ts';
import { TOKEN_VARIABLE } from '#compiler/engine/worker/token-variable.ts';

/** A worker that misbehaves once it has a job, as its first word says. */
const [word = '', address] = process.argv.slice(2);
const transport = address === undefined ? toParent() : await connect(address, process.env[TOKEN_VARIABLE] ?? '');
if (!transport) throw new Error('nobody has started this worker');

const says: Readonly<Record<string, string>> = {
  half: '{"kind":"event","ev',
  'no-json': '{"kind":\n',
  'no-kind': '{"kind":"toString"}\n',
  'no-form': '{"kind":"ended","outcome":{}}\n',
  'too-long': 'x'.repeat(100_000),
  'too-long-line': `${JSON.stringify({ kind: 'bug', text: 'x'.repeat(70_000) })}\n`,
};

const link = new Channel<FromWorker, ToWorker>(transport, { check: checkToWorker, mostWaiting: 1024 * 1024 });
link.onMessage((message) => {
  if (message.kind === 'job') void atWork(message);
});
void link.ended.then(() => process.exit(0));
await link.send({ kind: 'ready' });

async function atWork(job: UnitJob): Promise<void> {
  if (word === 'flood') return flood(job);
  await transport?.send(says[word] ?? '');
  if (word === 'half') process.exit(0);
}

/** Tells more than anybody can take at once, then that all went well. */
async function flood({ source, cwd }: UnitJob): Promise<void> {
  const tell = tellEvents(link);
  tell({ kind: 'unit-started', source });
  let sent = 0;
  let waiting = 0;
  for (let round = 0; round < 200; round++) {
    for (let count = 0; count < 100; count++, sent++)
      tell({ kind: 'notice', level: 'info', text: `x${'y'.repeat(2000)}` });
    waiting = Math.max(waiting, link.waiting);
    await new Promise((resolve) => setImmediate(resolve));
  }
  writeFileSync(join(cwd, 'flooded'), JSON.stringify({ sent, waiting }));
  const counts = { passed: 1, flaky: 0, failed: 0, skipped: 0, dry_run: 0 };
  // What is left to tell of goes first.
  await link.drained();
  tell({ kind: 'unit-finished', source, status: 'passed', counts, duration_ms: 1 });
  await link.send({
    kind: 'ended',
    outcome: { file: source, status: 'passed', counts, duration_ms: 1 },
    carried: { variables: [], secrets: [], occurrences: [] },
  });
  process.exit(0);
}
