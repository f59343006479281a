import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import { deliver, serviceUrl } from '../deliver.ts';
import type { Service, ServiceContext } from '../deliver.ts';

export interface Tracker extends Service {
  readonly base: string;
  readonly project: string;
}

export interface FoundIssue {
  readonly id: string;
  readonly key: string;
  readonly self: string;
}

/** Pages of a search that are read at most. */
const MOST_PAGES = 50;
const PAGE = 100;
/** By how much (ms) the clock of the server may be behind. */
const SKEW = 60_000;

/** The fields of an issue; one paragraph for each line of the description, which is left out where it is empty. */
export function fieldsOf(
  issue: { readonly project: string; readonly summary: string; readonly description: string; readonly type: string },
  extra: JsonObject,
): JsonObject {
  return {
    project: { key: issue.project },
    summary: issue.summary,
    issuetype: { name: issue.type },
    ...(issue.description.trim() === '' ? {} : { description: documentOf(issue.description) }),
    ...extra,
  };
}

/** Files an issue once: where the answer is lost, the one that was made since then is looked for first. */
export async function fileIssue(fields: JsonObject, tracker: Tracker, ctx: ServiceContext): Promise<JsonObject> {
  const since = ctx.clock.now();
  const { summary } = fields;
  const json = await deliver(
    {
      method: 'POST',
      url: serviceUrl(tracker.base, '/rest/api/3/issue'),
      body: JSON.stringify({ fields }),
      what: 'file an issue',
      look: () =>
        findIssue(typeof summary === 'string' ? summary : '', { since }, tracker, ctx) as Promise<Json | undefined>,
    },
    tracker,
    ctx,
  );
  return isObject(json) ? json : {};
}

/**
 * The issue with exactly this title: an open one, or one that was made since a time (ms since 1970). Reads all pages of
 * the search.
 */
export async function findIssue(
  title: string,
  wanted: { readonly since?: number },
  tracker: Tracker,
  ctx: ServiceContext,
): Promise<FoundIssue | undefined> {
  const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
  const when = wanted.since === undefined ? 'statusCategory != Done' : 'reporter = currentUser()';
  const jql = `project = ${quoted(tracker.project)} AND ${when} AND summary ~ ${quoted(phraseOf(title))} ORDER BY created DESC`;
  let token: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const body = {
      jql,
      fields: ['summary', 'created'],
      maxResults: PAGE,
      ...(token === undefined ? {} : { nextPageToken: token }),
    };
    const answer = await deliver(
      {
        method: 'POST',
        url: serviceUrl(tracker.base, '/rest/api/3/search/jql'),
        body: JSON.stringify(body),
        what: 'look for issues',
      },
      tracker,
      ctx,
    );
    const { issues, nextPageToken } = isObject(answer) ? answer : {};
    for (const issue of Array.isArray(issues) ? issues : []) {
      const found = issueOf(issue, title, wanted.since);
      if (found) return found;
    }
    if (typeof nextPageToken !== 'string' || nextPageToken === token) return undefined;
    token = nextPageToken;
  }
  return undefined;
}

function issueOf(issue: Json, title: string, since: number | undefined): FoundIssue | undefined {
  if (!isObject(issue) || !isObject(issue['fields'])) return undefined;
  const { summary, created } = issue['fields'];
  if (summary !== title) return undefined;
  if (since !== undefined && !(typeof created === 'string' && Date.parse(created) >= since - SKEW)) return undefined;
  const [id, key, self] = [issue['id'], issue['key'], issue['self']].map((part) =>
    typeof part === 'string' ? part : '',
  );
  return { id: id ?? '', key: key ?? '', self: self ?? '' };
}

/** The search knows words; what it would read as an operator becomes a blank. Titles are compared afterwards. */
function phraseOf(title: string): string {
  return title.replace(/[^\p{L}\p{N}_]+/gu, ' ').trim();
}

function documentOf(text: string): JsonObject {
  const paragraph = (line: string): JsonObject =>
    line === '' ? { type: 'paragraph' } : { type: 'paragraph', content: [{ type: 'text', text: line }] };
  return { version: 1, type: 'doc', content: text.split(/\r?\n/).map(paragraph) };
}
