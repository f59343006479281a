import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { WebDriver } from 'selenium-webdriver';

import { waitFunctionUnusable } from '#schemas/generated/failures.ts';

/** A function by `<file>#<export>`; relative files stand beside the action file. */
export async function loadFunction(reference: string, here: string): Promise<(driver: WebDriver) => unknown> {
  const at = reference.lastIndexOf('#');
  const [file, name] = at < 0 ? [reference, ''] : [reference.slice(0, at), reference.slice(at + 1)];
  if (file === '' || name === '') throw waitFunctionUnusable({ reference, reason: 'it is not written as file.mjs#export' });
  const module = await load(file, reference, here);
  const found = Object.hasOwn(module, name) ? module[name] : undefined;
  if (typeof found !== 'function') throw waitFunctionUnusable({ reference, reason: `the module exports no function "${name}"` });
  return (driver) => Reflect.apply(found, undefined, [driver]) as unknown;
}

async function load(file: string, reference: string, here: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(isAbsolute(file) ? file : join(here, file)).href) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw waitFunctionUnusable({ reference, reason: cause instanceof Error ? cause.message.split('\n', 1)[0] ?? '' : String(cause), cause });
  }
}
