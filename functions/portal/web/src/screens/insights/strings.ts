import { messages } from '@/strings/messages';

export const t = messages({
  title: 'Insights of {project}',
  loading: 'Loading the insights',
  weeks: '{n} weeks',
  period: 'Period',
  milestone: 'Items',
  everything: 'All items of the project',
  cycle: 'Cycle time',
  cycleAbout: 'Days from leaving the backlog until an item was done, for items done in each week.',
  cycleSummary: 'Median and 85th percentile of the cycle time in days, week by week',
  median: 'Half took at most',
  p85: '85 of 100 took at most',
  noCycle: 'No item was finished in this time.',
  throughput: 'Throughput',
  throughputAbout: 'Items created and finished each week.',
  flow: 'Cumulative flow',
  flowAbout:
    'Where the items stood at the end of each week. A band that grows wider is work that piles up there.',
  flowSummary: 'Items done, in progress and waiting at the end of each week',
  done: 'Done',
  active: 'In progress',
  backlog: 'Waiting',
  burnup: 'Burn-up',
  burnupAbout: 'All items and those that were done, as they stood at the end of each week.',
  days: '{n} d',
});
