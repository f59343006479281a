import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

/**
 * Ends a test run with one plain line, `N passed, N failed, N skipped`. In CI nothing may be skipped: a skipped test
 * fails the run there, named.
 */
export class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[], reason: TestRunEndReason): void {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 };
    const skipped: string[] = [];
    const flaky: string[] = [];
    for (const module of modules) {
      // A file that cannot be loaded has no tests to count: it counts as one.
      if (module.errors().length > 0) counts.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === 'pending' ? 'skipped' : state] += 1;
        if (test.diagnostic()?.flaky) flaky.push(`${module.relativeModuleId}: ${test.fullName}`);
        if (state !== 'passed' && state !== 'failed') skipped.push(`${module.relativeModuleId}: ${test.fullName}`);
      }
    }
    if (process.env['SVC_TEST_TIMES']) process.stdout.write(timesOf(modules));
    if (process.env['CI'] && skipped.length > 0) {
      process.exitCode = 1;
      process.stdout.write(`In CI nothing may be skipped:\n${skipped.map((name) => `  ${name}\n`).join('')}`);
    }
    if (flaky.length > 0)
      process.stdout.write(`Passed only when tried again:\n${flaky.map((name) => `  ${name}\n`).join('')}`);
    if (reason === 'interrupted') process.stdout.write('The run was interrupted.\n');
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  }
}

/**
 * Each file with its processor time and its time by the clock (seconds), those that take most of the processor first.
 */
function timesOf(modules: readonly TestModule[]): string {
  const rows = modules.map((module) => {
    const { cpu = { own: 0, children: 0 } } = module.meta();
    return { ...cpu, clock: module.diagnostic().duration / 1000, name: module.relativeModuleId };
  });
  const sorted = rows.toSorted((one, other) => other.own + other.children - one.own - one.children);
  const line = (cells: readonly (number | string)[], name: string): string =>
    `${cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(2) : cell).padStart(9)).join('')}  ${name}\n`;
  return (
    line(['own', 'children', 'clock'], 'file') +
    sorted.map(({ own, children, clock, name }) => line([own, children, clock], name)).join('')
  );
}
