import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { compareVersions } from './version-order.ts';

export const severities = ['low', 'moderate', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];

export interface Weakness {
  readonly id: string;
  readonly title: string;
  /** Null where nobody says. */
  readonly severity: Severity | null;
  readonly url?: string;
}

/** A dependency with its known weaknesses. */
export interface WeakDependency {
  readonly name: string;
  readonly version: string;
  readonly vulns: readonly Weakness[];
}

export interface Dependency {
  readonly name: string;
  readonly version: string;
}

/** The dependencies of a lock file of npm, of any version; undefined: it is none. */
export function readLockFile(lock: Json): readonly Dependency[] | undefined {
  if (!isObject(lock)) return undefined;
  if (isObject(lock['packages']))
    return distinct(
      Object.entries(lock['packages']).flatMap(([path, entry]) => {
        const at = path.lastIndexOf('node_modules/');
        if (at < 0 || !isObject(entry) || typeof entry['version'] !== 'string' || entry['link'] === true) return [];
        const name = typeof entry['name'] === 'string' ? entry['name'] : path.slice(at + 'node_modules/'.length);
        return [{ name, version: entry['version'] }];
      }),
    );
  return isObject(lock['dependencies']) ? distinct(nested(lock['dependencies'])) : undefined;
}

function nested(dependencies: JsonObject): Dependency[] {
  return Object.entries(dependencies).flatMap(([name, entry]) => {
    if (!isObject(entry)) return [];
    const own = typeof entry['version'] === 'string' ? [aliased(name, entry['version'])] : [];
    return [...own, ...(isObject(entry['dependencies']) ? nested(entry['dependencies']) : [])];
  });
}

/** Older lock files write a package under another name as `npm:its-name@1.2.3`. */
function aliased(name: string, version: string): Dependency {
  const [, other, own] = /^npm:(.+)@([^@]+)$/.exec(version) ?? [];
  return other === undefined || own === undefined ? { name, version } : { name: other, version: own };
}

function distinct(list: readonly Dependency[]): readonly Dependency[] {
  const known = new Map(list.map((one) => [`${one.name}@${one.version}`, one]));
  return [...known.values()].toSorted((a, b) =>
    a.name === b.name ? compareVersions(a.version, b.version) : a.name < b.name ? -1 : 1,
  );
}

/**
 * The advisories of a file in the Open Source Vulnerability format: one, a list, or `{vulns: […]}`; undefined: it holds
 * none.
 */
export function readAdvisories(file: Json): readonly JsonObject[] | undefined {
  const list = isObject(file) && Array.isArray(file['vulns']) ? file['vulns'] : Array.isArray(file) ? file : [file];
  const advisories = (list as readonly Json[]).filter(
    (one) => isObject(one) && typeof one['id'] === 'string' && Array.isArray(one['affected']),
  );
  return advisories.length === list.length ? (advisories as readonly JsonObject[]) : undefined;
}

/** The dependencies that advisories speak of, by name. Withdrawn ones do not count. */
export function findWeak(dependencies: readonly Dependency[], advisories: readonly JsonObject[]): WeakDependency[] {
  const active = advisories.filter(({ withdrawn }) => typeof withdrawn !== 'string');
  return dependencies.flatMap((dependency) => {
    const vulns = active.filter((advisory) => isAffected(dependency, advisory)).map(weakness);
    return vulns.length === 0 ? [] : [{ ...dependency, vulns }];
  });
}

function isAffected({ name, version }: Dependency, { affected }: JsonObject): boolean {
  return (affected as readonly Json[]).some((entry) => {
    if (!isObject(entry) || !isObject(entry['package'])) return false;
    const { ecosystem, name: named } = entry['package'];
    if (named !== name || ecosystem !== 'npm') return false;
    if (Array.isArray(entry['versions']) && (entry['versions'] as readonly Json[]).includes(version)) return true;
    return (
      Array.isArray(entry['ranges']) && (entry['ranges'] as readonly Json[]).some((range) => isInRange(version, range))
    );
  });
}

/** Introduced opens, fixed and limit close before, last_affected behind; a file may list them in any order. */
function isInRange(version: string, range: Json): boolean {
  if (!isObject(range) || range['type'] === 'GIT' || !Array.isArray(range['events'])) return false;
  let isOpen = false;
  for (const event of inOrder(range['events'] as readonly Json[])) {
    const { introduced, fixed, last_affected: last, limit } = event;
    if (typeof introduced === 'string' && (introduced === '0' || compareVersions(version, introduced) >= 0))
      isOpen = true;
    const end = typeof fixed === 'string' ? fixed : typeof limit === 'string' ? limit : undefined;
    if (end !== undefined && compareVersions(version, end) >= 0) isOpen = false;
    if (typeof last === 'string' && compareVersions(version, last) > 0) isOpen = false;
  }
  return isOpen;
}

/** Events in the order of their versions; of one version, what opens comes last. */
function inOrder(events: readonly Json[]): readonly JsonObject[] {
  const versionOf = ({ introduced, fixed, last_affected: last, limit }: JsonObject): string =>
    String(fixed ?? last ?? limit ?? introduced);
  const compared = (a: JsonObject, b: JsonObject): number => {
    if (a['introduced'] === '0' || b['introduced'] === '0') return a['introduced'] === '0' ? -1 : 1;
    const order = compareVersions(versionOf(a), versionOf(b));
    return order === 0 ? Number('introduced' in a) - Number('introduced' in b) : order;
  };
  return events.filter((event) => isObject(event)).toSorted(compared);
}

function weakness(advisory: JsonObject): Weakness {
  const { id, summary, references, database_specific: specific } = advisory;
  const said = isObject(specific) ? specific['severity'] : undefined;
  const [first] = Array.isArray(references) ? (references as readonly Json[]) : [];
  const url = isObject(first) ? first['url'] : undefined;
  return {
    id: String(id),
    title: typeof summary === 'string' ? summary : String(id),
    severity: severityOf(said),
    ...(typeof url === 'string' ? { url } : {}),
  };
}

function severityOf(text: Json | undefined): Severity | null {
  const word = typeof text === 'string' ? text.toLowerCase() : '';
  return word === 'medium' ? 'moderate' : (severities.find((one) => one === word) ?? null);
}

/** Weak dependencies in what `npm audit --json` prints; undefined: it is something else. */
export function readAudit(report: Json, dependencies: readonly Dependency[]): WeakDependency[] | undefined {
  if (!isObject(report) || !isObject(report['vulnerabilities'])) return undefined;
  return Object.entries(report['vulnerabilities'])
    .flatMap(([name, entry]): readonly WeakDependency[] => {
      const via = isObject(entry) ? entry['via'] : undefined;
      // A text names another dependency, which has an entry of its own.
      const own = Array.isArray(via) ? (via as readonly Json[]).filter((one) => isObject(one)) : [];
      if (own.length === 0) return [];
      const version = dependencies.find((one) => one.name === name)?.version ?? '';
      return [{ name, version, vulns: own.map(auditWeakness) }];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function auditWeakness({ source, title, severity, url }: JsonObject): Weakness {
  return {
    id: String(source ?? url ?? title),
    title: String(title ?? source),
    severity: severityOf(severity),
    ...(typeof url === 'string' ? { url } : {}),
  };
}
