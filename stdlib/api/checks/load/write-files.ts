import type { JsonObject } from '#schemas/types/json.ts';
import type { LoadTask } from '#schemas/types/load.ts';

import { planOf } from './plan.ts';
import { modelOf } from './profile.ts';
import { speaksOfRows } from './rows.ts';
import type { FullProfile } from './profile.ts';
import type { LoadRequest } from './sources.ts';

/** The load file in the form that its name asks for: a k6 script (`.js`), a Locust file (`.py`), else JSON. */
export function loadFile(path: string, requests: readonly LoadRequest[], profile: FullProfile): string {
  if (/\.m?js$/i.test(path)) return k6Script(requests, profile);
  if (/\.py$/i.test(path)) return locustFile(requests, profile);
  return `${JSON.stringify(jsonLoad(requests, profile), null, 2)}\n`;
}

/** The common load file: one start with its tasks. */
export function jsonLoad(requests: readonly LoadRequest[], profile: FullProfile): JsonObject {
  const { user, user_count, spawn_rate, test_time, mode } = profile;
  return {
    loadgen: [
      [
        'LG_start_test',
        {
          user_detail_dict: { user },
          tasks: { mode, tasks: requests as unknown as readonly JsonObject[] },
          user_count,
          spawn_rate,
          test_time,
        },
      ],
    ],
  };
}

/** JSON is JavaScript once these two line ends are escaped. */
function inScript(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** An address makes signs of its own of placeholders in paths and queries; they are put back. */
function withPlaceholdersIn(url: string): string {
  return url.replace(/(?:%24|\$)(?:%7B|\{)ENV\.(\w+)(?:%7D|\})/gi, (_, name: string) => `\${ENV.${name}}`);
}

/** Environment key of the file with rows, a JSON list of objects, for scripts whose requests speak of a row. */
export const ROWS = 'ROWS';

const inRow = String.raw`\{\{\s*row\.([\w-]+)\s*\}\}|%7B%7B(?:%20|\+)*row\.([\w-]+)(?:%20|\+)*%7D%7D`;

const k6Rows = `
// One row after the other from a JSON list of objects (k6 run -e ${ROWS}=rows.json).
if (__ENV.${ROWS} === undefined) throw new Error('set ${ROWS} to a JSON file with a list of rows');
const rows = new SharedArray('rows', () => JSON.parse(open(__ENV.${ROWS})));

function ofRow(text, row, escape) {
  return text.replace(/${inRow}/gi, (written, name, other) => {
    const value = row[name || other];
    if (value === undefined) return written;
    // Where the placeholder was encoded, its value is, too.
    return (name ? escape : encodeURIComponent)(typeof value === 'string' ? value : JSON.stringify(value));
  });
}

function withRow(task) {
  const row = rows[exec.scenario.iterationInTest % rows.length];
  const headers = {};
  for (const name of Object.keys(task.headers)) headers[name] = ofRow(task.headers[name], row, String);
  const isJson = /json/i.test(task.headers['content-type'] || task.headers['Content-Type'] || '');
  const inBody = isJson ? (value) => JSON.stringify(value).slice(1, -1) : String;
  const body = task.body === null ? null : ofRow(task.body, row, inBody);
  return Object.assign({}, task, { url: ofRow(task.url, row, encodeURIComponent), headers, body });
}
`;

function k6Script(requests: readonly LoadRequest[], profile: FullProfile): string {
  const hasRows = speaksOfRows(requests);
  const plan = planOf(requests, profile, { seed: 1 });
  const tasks = plan.tasks.map(({ name, method, url, headers, body, expect_status, timeout_ms, weight, follow }) => ({
    name: `${method} ${name}`,
    method,
    url: withPlaceholdersIn(url),
    headers,
    body: body ?? null,
    status: expect_status ?? null,
    timeout: `${timeout_ms}ms`,
    weight,
    redirects: follow === true ? 20 : 0,
  }));
  const model = modelOf(profile);
  const scenario =
    model.kind === 'closed'
      ? {
          executor: 'ramping-vus',
          startVUs: 0,
          stages: model.stages.map(({ users, seconds }) => ({
            target: users,
            duration: `${Math.round(seconds * 1000)}ms`,
          })),
        }
      : {
          executor: 'ramping-arrival-rate',
          startRate: 0,
          timeUnit: '1s',
          preAllocatedVUs: Math.min(model.most, 100),
          maxVUs: model.most,
          stages: model.stages.map(({ rate, seconds }) => ({
            target: Math.round(rate),
            duration: `${Math.round(seconds * 1000)}ms`,
          })),
        };
  const [least = 0, most = least] = profile.think_seconds ?? [];
  return `import http from 'k6/http';
import { check, sleep } from 'k6';
${hasRows ? "import { SharedArray } from 'k6/data';\nimport exec from 'k6/execution';\n" : ''}
export const options = ${inScript({ insecureSkipTLSVerify: plan.tasks.every(isUnverified), scenarios: { main: scenario } })};

// Credentials come from the environment (k6 run -e NAME=value).
function filled(text) {
  return text === null ? null : text.replace(/\\$\\{ENV\\.(\\w+)\\}/g, (_, name) => {
    if (__ENV[name] === undefined) throw new Error('set ' + name + ' in the environment');
    return __ENV[name];
  });
}

const tasks = ${inScript(tasks)}.map((task) => {
  for (const name of Object.keys(task.headers)) task.headers[name] = filled(task.headers[name]);
  return Object.assign(task, { url: filled(task.url), body: filled(task.body) });
});
const weighted = ${profile.mode === 'weighted'};
const total = tasks.reduce((sum, task) => sum + task.weight, 0);
let at = 0;

function nextTask() {
  if (!weighted) return tasks[at++ % tasks.length];
  let left = Math.random() * total;
  return tasks.find((task) => (left -= task.weight) < 0) || tasks[tasks.length - 1];
}
${hasRows ? k6Rows : ''}
export default function () {
  const task = ${hasRows ? 'withRow(nextTask())' : 'nextTask()'};
  const answer = http.request(task.method, task.url, task.body, {
    headers: task.headers,
    timeout: task.timeout,
    redirects: task.redirects,
    tags: { name: task.name },
  });
  check(answer, { status: ({ status }) => (task.status === null ? status > 0 && status < 400 : status === task.status) });
  ${most > 0 ? `sleep(${least} + Math.random() * ${most - least});` : ''}
}
`;
}

/** Tasks as the file for Locust holds them. */
export function locustTasks(requests: readonly LoadRequest[], profile: FullProfile): readonly JsonObject[] {
  const { tasks } = planOf(requests, profile, { seed: 1 });
  return tasks.map(({ name, method, url, headers, body, expect_status, timeout_ms, weight, follow, unverified }) => ({
    name,
    method,
    url: withPlaceholdersIn(url),
    headers,
    body: body ?? null,
    status: expect_status ?? null,
    timeout: timeout_ms / 1000,
    weight,
    follow: follow === true,
    verify: unverified !== true,
  }));
}

/** k6, and the quick user of Locust, have one switch for all requests: it is off only where all of them want that. */
function isUnverified({ unverified = false }: LoadTask): boolean {
  return unverified;
}

const locustRows = `

def stored_rows():
    with open(os.environ["${ROWS}"], encoding="utf-8") as source:
        return json.load(source)


# One row after the other from a JSON list of objects, unless whoever starts this file hands rows over in memory.
ROWS = itertools.cycle(getattr(sys, "svc_rows", None) or stored_rows())


def of_row(text, row, escape=str):
    def value(found):
        name = found.group(1) or found.group(2)
        if name not in row:
            return found.group(0)
        given = row[name] if isinstance(row[name], str) else json.dumps(row[name])
        # Where the placeholder was encoded, its value is, too.
        return escape(given) if found.group(1) else quote(given, safe="")

    return text and re.sub(r"(?i)${inRow}", value, text)


def with_row(one):
    row = next(ROWS)
    is_json = any(name.lower() == "content-type" and "json" in value for name, value in one["headers"].items())
    return {
        **one,
        "url": of_row(one["url"], row, lambda value: quote(value, safe="")),
        "headers": {name: of_row(value, row) for name, value in one["headers"].items()},
        "body": of_row(one["body"], row, (lambda value: json.dumps(value)[1:-1]) if is_json else str),
    }
`;

function locustFile(requests: readonly LoadRequest[], profile: FullProfile): string {
  const hasRows = speaksOfRows(requests);
  const listed = locustTasks(requests, profile);
  const verify = listed.some((task) => task['verify']);
  const [least = 0, most = least] = profile.think_seconds ?? [];
  const user = profile.user === 'http_user' ? 'HttpUser' : 'FastHttpUser';
  // A JSON text in a Python string: what is escaped twice means the same in both.
  return `${hasRows ? 'import itertools\n' : ''}import json
import os
import random
import re
import sys
${hasRows ? 'from urllib.parse import quote\n' : ''}
from locust import ${user}, between, task
${user === 'FastHttpUser' ? 'from locust.contrib.fasthttp import FastHttpUser  # noqa: F811\n' : ''}


def filled(text):
    """Credentials come from the environment."""
    return text and re.sub(r"\\$\\{ENV\\.(\\w+)\\}", lambda found: os.environ[found.group(1)], text)


def stored():
    tasks = json.loads(${JSON.stringify(JSON.stringify(listed))})
    for one in tasks:
        one["url"], one["body"] = filled(one["url"]), filled(one["body"])
        one["headers"] = {name: filled(value) for name, value in one["headers"].items()}
    return tasks


# Whoever starts this file may hand the tasks over in memory.
TASKS = getattr(sys, "svc_tasks", None) or stored()
WEIGHTED = ${profile.mode === 'weighted' ? 'True' : 'False'}
${hasRows ? locustRows : ''}

class Caller(${user}):
    host = ${JSON.stringify(new URL(requests[0]?.request_url ?? 'http://localhost').origin)}
    wait_time = between(${least}, ${most})
    ${user === 'FastHttpUser' ? `insecure = ${verify ? 'False' : 'True'}` : ''}

    def on_start(self):
        self.at = 0

    @task
    def call(self):
        if WEIGHTED:
            one = random.choices(TASKS, weights=[t["weight"] for t in TASKS])[0]
        else:
            one = TASKS[self.at % len(TASKS)]
            self.at += 1
${hasRows ? '        one = with_row(one)\n' : ''}        with self.client.request(
            one["method"],
            one["url"],
            name=one["name"],
            headers=one["headers"],
            data=one["body"],
            allow_redirects=one["follow"],
            catch_response=True,
            ${user === 'HttpUser' ? `timeout=one["timeout"],\n            verify=one["verify"],` : ''}
        ) as answer:
            good = answer.status_code == one["status"] if one["status"] else 0 < (answer.status_code or 0) < 400
            if good:
                answer.success()
            else:
                answer.failure("status %s" % answer.status_code)
`;
}
