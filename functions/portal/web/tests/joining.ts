/** People who join the demo from an invitation. */
import { accessible, Person, type Stage } from './harness';

interface Invited {
  link?: string | null;
}

/** Invites somebody, who makes an account and lands on the projects. */
export async function join(
  at: Stage,
  email: string,
  preset: string,
  more: { canStartAiWork?: boolean } = {},
): Promise<Person> {
  const person = await Person.arrive(at.service);
  await person.page.goto(await invite(at, email, preset, more));
  await person.page.getByRole('heading', { name: 'Join Demo' }).waitFor();
  await accessible(person.page, `join as ${preset}`);
  await person.page.getByLabel('Your name').fill(email.split('@')[0] ?? '');
  await person.page.getByLabel('Password', { exact: true }).fill('a long enough password');
  await person.page.getByRole('button', { name: 'Create account and join' }).click();
  await person.page.waitForURL('**/o/demo/p');
  return person;
}

async function invite({ service }: Stage, email: string, preset: string, more: object): Promise<string> {
  const project = preset === 'stakeholder' || preset === 'guest' ? { project: 'DEMO' } : {};
  const body = { email, preset, ...project, ...more };
  const { link } = await service.api<Invited>('POST', '/orgs/demo/invitations', body);
  return new URL(link ?? '').pathname + new URL(link ?? '').hash;
}
