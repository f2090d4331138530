import { messages } from '@/strings/messages';

export const t = messages({
  answers: 'Waits for your answers',
  confirmation: 'Waits for your word',
  'happened.answers': '{agent} has {n, plural, one {a question} other {# questions}} about the ticket.',
  'happened.confirmation': '{agent} proposes a better ticket.',
  'next.answers': 'It waits for your answers: give them, and the agent goes on.',
  'next.confirmation': 'It waits for your word: confirm the proposal, or ask for changes.',
  'open.answers': 'Answer the questions',
  'open.confirmation': 'See the proposal',
});
