/** A file `<uuid>-result.json`, as readers of Allure results take it. */
export interface AllureResult extends AllureBody {
  readonly uuid: string;
  /** Equal for the same case in every run, which is how readers find its history. */
  readonly historyId: string;
  readonly testCaseId: string;
  readonly fullName: string;
  readonly labels: readonly AllurePair[];
}

/** A step: of a case, of another step, or before and after all cases of a file. */
export interface AllureBody {
  readonly name: string;
  readonly status: AllureStatus;
  readonly stage: 'finished';
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly stop: number;
  readonly statusDetails: AllureDetails;
  readonly steps: readonly AllureBody[];
  readonly attachments: readonly AllureAttachment[];
  readonly parameters: readonly AllurePair[];
}

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

export interface AllureAttachment {
  readonly name: string;
  /** Name of a file in the same folder. */
  readonly source: string;
  /** Media type. */
  readonly type: string;
}

export interface AllurePair {
  readonly name: string;
  readonly value: string;
}
