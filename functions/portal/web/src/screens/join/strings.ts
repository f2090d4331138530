import { messages } from '@/strings/messages';

export const t = messages({
  title: 'Join {organization}',
  lead: '{by} invites {email} to {organization}.',
  as: '{preset, select, owner {You would own the organization, with everything in it.} admin {You would be an Admin: everything but owners.} member {You would be a Member: you work in the projects that you belong to.} stakeholder {You would follow one project: see its board, create items and comment.} guest {You would be a Guest: you read and comment in the projects that you are added to.} operator {You would be a Member who may start AI work.} other {You would join as {name}.}}',
  join: 'Join',
  haveAccount: 'There is an account of this address. Sign in with it to join.',
  wrongAccount:
    'You are signed in as {email}; the invitation is for {invited}. Sign out and join with that address.',
  signOut: 'Sign out',
  name: 'Your name',
  password: 'Password',
  passwordHint: 'At least 10 characters.',
  create: 'Create account and join',
  noSecret: 'This link is not complete',
  noSecretLead: 'Copy the whole address from the invitation, with all that stands after the #.',
  gone: 'This invitation is no longer good',
  goneLead: 'It was used, it expired, or it was withdrawn. Ask who invited you for a new one.',
  loading: 'Looking at the invitation',
  home: 'Go to svc',
});
