/** A file `<uuid>-result.json`, as readers of Allure results take it. */
export interface AllureResult<Status extends AllureStatus = AllureStatus> extends AllureBody<Status> {
  readonly uuid: string;
  /** Equal for the same case in every run, which is how readers find its history. */
  readonly historyId: string;
  /** Equal for all rows of one case. */
  readonly testCaseId: string;
  readonly fullName: string;
  readonly labels: readonly AllurePair[];
}

/** A step: of a case, of another step, or before and after all cases of a file. */
export type AllureBody<Status extends AllureStatus = AllureStatus> = {
  readonly name: string;
  readonly status: Status;
  readonly stage: 'finished';
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly stop: number;
  readonly statusDetails: AllureDetails;
  readonly steps: readonly AllureBody<Status>[];
  readonly attachments: readonly AllureAttachment[];
  readonly parameters: readonly AllurePair[];
};

/** A file `<uuid>-container.json`: the steps before and after the cases that it names. */
export interface AllureContainer {
  readonly uuid: string;
  readonly name: string;
  readonly children: readonly string[];
  readonly befores: readonly AllureBody[];
  readonly afters: readonly AllureBody[];
  readonly start: number;
  readonly stop: number;
}

/** `broken`: the case itself could not be judged, because its environment failed. */
export type AllureStatus = 'passed' | 'failed' | 'broken' | 'skipped';

export interface AllureDetails {
  readonly message?: string;
  readonly trace?: string;
  readonly flaky?: true;
}

export type AllureAttachment = {
  readonly name: string;
  /** Name of a file in the same folder. */
  readonly source: string;
  /** Media type. */
  readonly type: string;
};

export type AllurePair = {
  readonly name: string;
  readonly value: string;
};

/** Identity of a case, and of one result of it. */
interface AllureCase {
  /** UUID of the result, with dashes or without. */
  readonly uuid: string;
  /** Name of the case that is the same in every run, with its row. */
  readonly fullName: string;
  /** `fullName` unless given. */
  readonly historyId?: string;
  /** `historyId` unless given. */
  readonly testCaseId?: string;
  /** The action file, by which readers group cases. */
  readonly suite?: string;
}

type Measured<Status extends AllureStatus> = Pick<AllureBody<Status>, 'name' | 'status' | 'start' | 'stop'> &
  Partial<AllureBody<Status>>;

/** A step or the inside of a case, with lists that are empty and an end on a whole millisecond unless given. */
export function allureBody<Status extends AllureStatus>(measured: Measured<Status>): AllureBody<Status> {
  return {
    stage: 'finished',
    statusDetails: {},
    steps: [],
    attachments: [],
    parameters: [],
    ...measured,
    stop: Math.round(measured.stop),
  };
}

/** A result with every field by which readers find, group and compare cases. */
export function allureResult<Status extends AllureStatus>(
  { uuid, fullName, suite, historyId = fullName, testCaseId = historyId }: AllureCase,
  measured: Measured<Status>,
): AllureResult<Status> {
  const ofSuite = suite === undefined ? [] : [...languageOf(suite), { name: 'suite', value: suite }];
  return {
    uuid: dashed(uuid),
    historyId,
    testCaseId,
    fullName,
    labels: [{ name: 'framework', value: 'svc' }, ...ofSuite],
    ...allureBody(measured),
  };
}

/** Name of the file that readers look for. */
export function allureFileName({ uuid }: { readonly uuid: string }, kind: 'result' | 'container'): string {
  return `${uuid}-${kind}.json`;
}

/** The 32 digits of a UUID with the dashes that readers want. */
export function dashed(uuid: string): string {
  return uuid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function languageOf(suite: string): readonly AllurePair[] {
  return [{ name: 'language', value: suite.includes('.json') ? 'json' : 'yaml' }];
}
