import type { BrowserContext } from 'playwright-core';

import { pageSettingRefused } from '#schemas/generated/failures.ts';

import type { Door } from './door.ts';
import { reasonOf } from './failure-of.ts';
import type { Launched } from './launch.ts';
import type { Position, Scope } from './port.ts';

interface Grant {
  readonly permissions: readonly string[];
  readonly origin: string | undefined;
}

/** Permissions that were given to pages, and the position where they believe to be. */
export class Grants {
  readonly #launched: Launched;
  readonly #door: Door;
  #given: readonly Grant[] = [];
  #position: Position | undefined;

  constructor(launched: Launched, door: Door) {
    this.#launched = launched;
    this.#door = door;
  }

  async give(scope: Scope, grant: Grant): Promise<void> {
    await this.#door.outside(scope, () => giveGrant(this.#launched.context, grant));
    this.#given = [...this.#given, grant];
  }

  async revokeAll(scope: Scope): Promise<void> {
    this.#given = [];
    await this.#door.outside(scope, () => this.#launched.context.clearPermissions());
  }

  async setPosition(scope: Scope, position: Position | undefined): Promise<void> {
    await this.#door.outside(scope, () => this.#launched.context.setGeolocation(position ?? null));
    this.#position = position;
  }

  /** Gives a new context what the one before it had. */
  async carryOver(context: BrowserContext): Promise<void> {
    for (const grant of this.#given) await giveGrant(context, grant);
    if (this.#position) await context.setGeolocation(this.#position);
  }

  /** Remembers all of it; what it yields brings it back. */
  save(): (scope: () => Scope) => Promise<void> {
    const [given, position] = [this.#given, this.#position];
    return async (scope) => {
      if (given !== this.#given) {
        await this.revokeAll(scope());
        for (const grant of given) await this.give(scope(), grant);
        this.#given = given;
      }
      if (position !== this.#position) await this.setPosition(scope(), position);
    };
  }
}

async function giveGrant(
  context: BrowserContext,
  { permissions, origin }: { readonly permissions: readonly string[]; readonly origin: string | undefined },
): Promise<void> {
  try {
    await context.grantPermissions([...permissions], origin === undefined ? {} : { origin });
  } catch (error) {
    if (!(error instanceof Error) || !/permission/i.test(error.message)) throw error;
    throw pageSettingRefused({
      setting: 'permission',
      value: permissions.join(', '),
      reason: reasonOf(error),
      cause: error,
    });
  }
}
