import * as fail from '#schemas/generated/failures.ts';
import type { LoadModel } from '#schemas/types/load.ts';

/** Rate and duration of a load run; every part may be left out. */
export interface Profile {
  readonly user?: 'fast_http_user' | 'http_user' | undefined;
  readonly user_count?: number | undefined;
  readonly spawn_rate?: number | undefined;
  readonly test_time?: number | undefined;
  readonly mode?: 'sequence' | 'weighted' | undefined;
  /** Requests a second: the open model. */
  readonly rate?: number | undefined;
  readonly stages?:
    | readonly { readonly users?: number | undefined; readonly rate?: number | undefined; readonly seconds: number }[]
    | undefined;
  readonly most_at_once?: number | undefined;
  readonly think_seconds?: readonly number[] | undefined;
}

export interface FullProfile extends Profile {
  readonly user: 'fast_http_user' | 'http_user';
  readonly user_count: number;
  readonly spawn_rate: number;
  readonly test_time: number;
  readonly mode: 'sequence' | 'weighted';
}

/** A profile with the parts that were left out; fails where parts contradict each other. */
export function readProfile(given: Profile | null): FullProfile {
  const profile: FullProfile = {
    ...given,
    user: given?.user ?? 'fast_http_user',
    user_count: given?.user_count ?? 10,
    spawn_rate: given?.spawn_rate ?? 5,
    test_time: given?.test_time ?? 60,
    mode: given?.mode ?? 'sequence',
  };
  modelOf(profile);
  const [least = 0, most = least] = profile.think_seconds ?? [];
  if (most < least) throw fail.loadProfile({ reason: 'think_seconds has its larger number first' });
  return profile;
}

/** Users who wait for answers, or arrivals that do not. */
export function modelOf({
  user_count: users,
  spawn_rate: spawn,
  test_time: seconds,
  rate,
  stages,
  most_at_once,
}: FullProfile): LoadModel {
  const most = most_at_once ?? 1000;
  if (stages) {
    const open = stages.filter((stage) => stage.rate !== undefined).length;
    if (rate !== undefined) throw fail.loadProfile({ reason: 'it has both rate and stages' });
    if (open > 0 && stages.some((stage) => stage.users !== undefined))
      throw fail.loadProfile({ reason: 'some of its stages have users and some a rate' });
    return open > 0
      ? { kind: 'open', most, stages: stages.map((stage) => ({ rate: stage.rate ?? 0, seconds: stage.seconds })) }
      : { kind: 'closed', stages: stages.map((stage) => ({ users: stage.users ?? 0, seconds: stage.seconds })) };
  }
  if (rate !== undefined)
    return {
      kind: 'open',
      most,
      stages: [
        { rate, seconds: 0 },
        { rate, seconds },
      ],
    };
  const ramp = Math.min(users / spawn, seconds);
  return {
    kind: 'closed',
    stages: [
      { users, seconds: ramp },
      { users, seconds: seconds - ramp },
    ],
  };
}
