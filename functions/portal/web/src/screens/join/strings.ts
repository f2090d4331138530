import { messages } from '@/strings/messages';

export const t = messages({
  title: 'Join {organization}',
  lead: '{by} invites {email} to {organization}.',
  as: '{preset, select, owner {You would be an Owner and may do everything.} admin {You would be an Admin: you may do everything except manage Owners.} member {You would be a Member: you work in the projects that you belong to.} stakeholder {You would follow one project: see its board, create items and comment.} guest {You would be a Guest: you read and comment in the projects that you are added to.} operator {You would be a Member who may start AI work.} other {You would join as {name}.}}',
  join: 'Join',
  haveAccount: 'This address has an account. Sign in with it to join.',
  wrongAccount:
    'You are signed in as {email}; the invitation is for {invited}. Sign out and join with that address.',
  signIn: 'I have an account',
  signOut: 'Sign out',
  name: 'Your name',
  password: 'Password',
  passwordHint: 'At least 10 characters.',
  create: 'Create account and join',
  noSecret: 'This link is not complete',
  noSecretLead: 'Copy the whole address from the invitation, including everything after the #.',
  gone: 'This invitation is no longer valid',
  goneLead: 'It was used, it expired, or it was withdrawn. Ask the person who invited you for a new one.',
  loading: 'Loading the invitation',
  home: 'Go to svc',
});
