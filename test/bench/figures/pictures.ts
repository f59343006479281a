import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

import { provider } from '#runtime/adapters/pictures/provider.ts';
import { compare } from '#stdlib/browser/checks/visual/compare.ts';

import { unitContext } from '../../fixtures/unit-context.ts';
import { lowerQuartile, type Amount } from '../figure.ts';

const [width, height] = [1920, 1080];
const pictures = await provider.open(unitContext().context);

/** A page of boxes with patterns, of which a few stand `moved` points further right. */
function page(moved: number): Uint8Array {
  const data = new Uint8Array(width * height * 4).fill(255);
  let seed = 7;
  const upTo = (limit: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % limit;
  };
  for (let box = 0; box < 900; box += 1) {
    const [left, top, right, bottom] = [upTo(width - 120), upTo(height - 40), 20 + upTo(90), 4 + upTo(30)];
    const shade = upTo(200);
    const shift = box % 50 === 0 ? moved : 0;
    for (let y = top; y < top + bottom; y += 1)
      for (let x = left; x < left + right; x += 1) {
        const at = (y * width + x + shift) * 4;
        data.fill(shade + ((x * y) % 7), at, at + 3);
      }
  }
  return pictures.encode({ width, height, data });
}

function bare(one: Uint8Array, other: Uint8Array): void {
  const [before, now] = [PNG.sync.read(Buffer.from(one)), PNG.sync.read(Buffer.from(other))];
  const drawing = new PNG({ width, height });
  pixelmatch(before.data, now.data, drawing.data, width, height, { threshold: 0.1 });
  PNG.sync.write(drawing);
}

function processorTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Processor time of a comparison as a share of that by the bare libraries, both in turns. */
function comparison(how: string, aim: number, moved: number, color: number): Amount {
  return {
    name: `pictures of 1920x1080, ${how}, beside pixelmatch with pngjs`,
    unit: 'x',
    aim,
    wanted: 'at-most',
    amount() {
      const [one, other] = [page(0), page(moved)];
      const tolerance = { color, edges: color > 0 };
      const asked = { path: 'it.png', threshold: 0, ignored: [], tolerance };
      const [ours, floors]: [number[], number[]] = [[], []];
      for (let round = 0; round < 9; round += 1) {
        const floor = processorTime(() => bare(one, other));
        const own = processorTime(() => compare(pictures, one, other, asked));
        // The first rounds warm both up.
        if (round < 2) continue;
        floors.push(floor);
        ours.push(own);
      }
      return Promise.resolve(lowerQuartile(ours) / lowerQuartile(floors));
    },
  };
}

export const figures: readonly Amount[] = [
  comparison('point by point', 1.05, 3, 0),
  comparison('with tolerance', 1.05, 3, 0.1),
  comparison('equal files', 0.2, 0, 0),
];
