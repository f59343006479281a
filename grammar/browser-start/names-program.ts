import { isObject } from '#schemas/types/json.ts';
import type { StartPart } from '#schemas/types/start-part.ts';

import {
  allowedCapabilities,
  allowedChannels,
  allowedChromiumOptions,
  allowedExclusions,
  allowedFirefoxOptions,
  allowedLaunchOptions,
  allowedPreferences,
  allowedSwitches,
  hubBlocks,
} from './allowed.ts';

/**
 * The first thing in a parameter that names a program, or may make the browser start one: such a start needs the gate
 * `shell`. Undefined where everything stands on the closed lists. Parts that are not known yet are left out by the
 * caller.
 */
export function namesProgram(part: StartPart, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (part) {
    case 'switches':
      return ofSwitches(value);
    case 'experimental':
      return ofChromium(value);
    case 'capabilities':
      return ofCapabilities(value, false);
    case 'hub':
      return ofCapabilities(value, true);
    case 'launch':
      return ofLaunch(value);
    case 'profile':
      return typeof value === 'string' && !leavesNothing(value) ? `the profile ${value}` : undefined;
    case 'extensions':
      return Array.isArray(value) && value.length === 0 ? undefined : '--load-extension';
  }
}

/**
 * A switch may be written with two dashes, one, or none; what has a blank or a slash before its name is none of ours.
 */
function ofSwitches(value: unknown): string | undefined {
  if (value === null) return undefined;
  if (!Array.isArray(value)) return 'args';
  return value.map(nameOfSwitch).find((name) => name !== undefined);
}

function nameOfSwitch(given: unknown): string | undefined {
  if (typeof given !== 'string') return 'args';
  const [, name = '', setting] = /^-{0,2}([^=]*)(?:=(.*))?$/s.exec(given) ?? [];
  if (name === 'password-store' && setting === 'basic') return undefined;
  return allowedSwitches.has(name) ? undefined : (given.split('=', 1)[0] ?? given);
}

function ofChromium(value: unknown): string | undefined {
  return firstOf(value, (key, part) => {
    if (key === 'args') return ofSwitches(part);
    if (key === 'prefs') return ofPreferences(part);
    if (key === 'excludeSwitches') return excluded(part);
    return allowedChromiumOptions.has(key) ? undefined : key;
  });
}

function excluded(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'excludeSwitches';
  return value.every((each) => allowedExclusions.has(String(each).replace(/^--/, ''))) ? undefined : 'excludeSwitches';
}

function ofFirefox(value: unknown): string | undefined {
  return firstOf(value, (key, part) => {
    if (key === 'args') return ofSwitches(part);
    if (key === 'prefs') return ofPreferences(part);
    return allowedFirefoxOptions.has(key) ? undefined : key;
  });
}

function ofCapabilities(value: unknown, onHub: boolean): string | undefined {
  return firstOf(value, (key, part) => {
    if (key === 'goog:chromeOptions' || key === 'ms:edgeOptions') return ofChromium(part);
    if (key === 'moz:firefoxOptions') return ofFirefox(part);
    return allowedCapabilities.has(key) || (onHub && hubBlocks.has(key)) ? undefined : key;
  });
}

/** Launcher options are written in snake or camel case. */
function ofLaunch(value: unknown): string | undefined {
  return firstOf(value, (key, part) => {
    switch (inCamelCase(key)) {
      case 'args':
        return ofSwitches(part);
      case 'firefoxUserPrefs':
        return ofPreferences(part);
      case 'channel':
        return allowedChannels.has(part) ? undefined : key;
      case 'chromiumSandbox':
        return part === true ? undefined : key;
      default:
        return allowedLaunchOptions.has(inCamelCase(key)) ? undefined : key;
    }
  });
}

/** Existing files write launcher options in snake case. */
export function inCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Preferences are written with dots, or one object in another. */
function ofPreferences(value: unknown, before = ''): string | undefined {
  return firstOf(value, (key, part) => {
    const name = before + key;
    if (allowedPreferences.some((allowed) => name === allowed || (allowed.endsWith('.') && name.startsWith(allowed))))
      return undefined;
    return isObject(part) && Object.keys(part).length > 0 ? ofPreferences(part, `${name}.`) : name;
  });
}

/** A folder that a step names below the working directory; whether it is new is seen when the browser starts. */
function leavesNothing(path: string): boolean {
  return !/^(?:[/\\~]|[a-z]:)/i.test(path) && !path.split(/[/\\]/).includes('..');
}

/** The first finding in the entries of an object; anything else is none that a driver reads. */
function firstOf(value: unknown, look: (key: string, part: unknown) => string | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (!isObject(value)) return 'options';
  for (const [key, part] of Object.entries(value)) {
    const found = look(key, part);
    if (found !== undefined) return found;
  }
  return undefined;
}
