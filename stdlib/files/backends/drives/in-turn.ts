/** Does work of one key in turn, whoever asks; work of other keys beside it. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>();

  async of<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
