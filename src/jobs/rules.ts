import type { ScheduleRules } from '../page/schedule.ts';
import type { TransitionRules } from '../page/transition.ts';
import type { JobContext } from '../run/context.ts';

export const scheduleRules = ({ schedule }: JobContext['options']): ScheduleRules => schedule;

export const transitionRules = (
  { options, now }: Pick<JobContext, 'options' | 'now'>,
  more: { readonly additions?: boolean } = {},
): TransitionRules => ({
  schedule: scheduleRules(options),
  retries: Math.max(options.net.retries, 1),
  now,
  additions: more.additions ?? true,
});
