import { join } from 'node:path';

import type { PortContext } from '#runtime/kernel/ports.ts';
import { Failure } from '#schemas/types/failure.ts';

/** Keeps pictures of the page in one folder, a file for each step that failed. */
export class Pictures {
  readonly #context: PortContext;
  readonly #folder: string;
  #last = '';
  #sameTime = 0;

  constructor(context: PortContext, folder: string) {
    this.#context = context;
    this.#folder = folder;
  }

  /**
   * The failure with the path of the picture; the failure itself where no browser is open or the picture cannot be
   * kept.
   */
  async added(failure: Failure, command: string): Promise<Failure> {
    const { host, notice, showNow } = this.#context;
    const shown = await showNow(['webdriver', 'playwright']);
    const picture = shown.find((piece) => piece.kind === 'picture');
    if (!picture) return failure;
    const path = join(this.#folder, `${this.#time()}_${nameOf(command)}.png`);
    try {
      await host.files.write(path, picture.bytes);
    } catch (error) {
      notice(
        'warning',
        `No picture of the failed step was kept: ${error instanceof Error ? error.message : String(error)}`,
      );
      return failure;
    }
    const { facts, options } = failure;
    return new Failure({ ...facts, message: `${facts.message} (failure screenshot: ${path})` }, options);
  }

  /**
   * Local time, `YYYYMMDD_HHMMSS_microseconds`. The clock tells milliseconds: the rest counts pictures of one of them.
   */
  #time(): string {
    const time = new Date(this.#context.host.clock.now());
    const two = (part: number): string => String(part).padStart(2, '0');
    const day = `${time.getFullYear()}${two(time.getMonth() + 1)}${two(time.getDate())}`;
    const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join('');
    const text = `${day}_${clock}_${String(time.getMilliseconds()).padStart(3, '0')}`;
    this.#sameTime = text === this.#last ? this.#sameTime + 1 : 0;
    this.#last = text;
    return `${text}${String(this.#sameTime).padStart(3, '0')}`;
  }
}

/** Letters, digits, `-` and `_` alone, so that no name leads out of the folder. */
function nameOf(command: string): string {
  return command.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 64) || 'unknown';
}
