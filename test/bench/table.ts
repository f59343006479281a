import type { Amount, Figure, Result } from './figure.ts';

export const head = '| what | beside | svc | floor | ratio | of processor time | aim |\n|---|---|---|---|---|---|---|';

/** One line for time and peak memory, one more for memory where that has an aim too. */
export function rows({ name, beside, aim, memoryAim }: Figure, { subject, floor }: Result): string {
  const time = row([
    name,
    beside,
    `${ms(subject.ms)}, ${mib(subject.memory)}`,
    `${ms(floor.ms)}, ${mib(floor.memory)}`,
    ratio(subject.ms, floor.ms),
    ratio(subject.cpu, floor.cpu),
    wanted(aim, subject.ms / floor.ms),
  ]);
  if (memoryAim === undefined) return time;
  return `${time}\n${row([`${name}, peak memory`, beside, mib(subject.memory), mib(floor.memory), ratio(subject.memory, floor.memory), '', wanted(memoryAim, subject.memory / floor.memory)])}`;
}

export function amountRow({ name, unit, aim, wanted: direction }: Amount, amount: number): string {
  const isMissed = direction === 'at-most' ? amount > aim : amount < aim;
  return row([
    name,
    '',
    `${amount.toFixed(2)} ${unit}`,
    '',
    '',
    '',
    `${direction.replace('-', ' ')} ${aim} ${unit}${isMissed ? ' missed' : ''}`,
  ]);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function ms(value: number): string {
  return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}

function mib(value: number): string {
  return `${value.toFixed(0)} MiB`;
}

function ratio(subject: number, floor: number): string {
  return `${(subject / floor).toFixed(2)}x`;
}

function wanted(aim: number, value: number): string {
  return `${aim}x${value > aim ? ' missed' : ''}`;
}
