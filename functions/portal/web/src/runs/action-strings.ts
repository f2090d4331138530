import { messages } from '@/strings/messages';

export const t = messages({
  continue: 'Continue',
  continueTitle: 'Continue the run of {item}?',
  continueDetail:
    'It goes on where it stopped: on {runner}, in the same session, with its whole time limit. Where the session is gone, the new run fails and says so.',
  continueDone: 'The run of {item} continues',
  retry: 'Retry',
  retryTitle: 'Retry the run of {item}?',
  retryDetail: 'It starts over from a fresh checkout, with its playbook and agent as they are now.',
  retryDone: 'The run of {item} starts over',
  itsRunner: 'its runner',
  open: 'Open',
});
