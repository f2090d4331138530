/** The API's shapes by their own names. They come from the OpenAPI document: `npm run types` writes them. */
import type { components } from './schema';

type Schemas = components['schemas'];

export type Actor = Schemas['Actor'];
export type Agent = Schemas['Agent'];
export type AgentMention = Schemas['AgentMention'];
export type Attachment = Schemas['Attachment'];
export type Budget = Schemas['Budget'];
export type Budgets = Schemas['Budgets'];
export type Change = Schemas['Change'];
export type ChangedFile = Schemas['ChangedFile'];
export type Claim = Schemas['Claim'];
export type Comment = Schemas['RenderedComment'];
export type HistoryEntry = Schemas['HistoryEntry'];
export type Invitation = Schemas['Invitation'];
export type InvitationPreset = Schemas['InvitationPreset'];
export type Item = Schemas['Item'];
export type ItemType = Schemas['ItemType'];
export type ItemLink = Schemas['ItemLink'];
export type Label = Schemas['Label'];
export type LinkKind = Schemas['LinkKind'];
export type Me = Schemas['Me'];
export type Member = Schemas['Member'];
export type MoveItem = Schemas['MoveItem'];
export type NewItem = Schemas['NewItem'];
export type Organization = Schemas['Organization'];
export type OrgChanges = Schemas['OrgChanges'];
export type OrgRole = Schemas['OrgRole'];
export type Playbook = Schemas['Playbook'];
export type PreviewMentions = Schemas['PreviewMentions'];
export type PreviewedMention = Schemas['PreviewedMention'];
export type Priority = Schemas['Priority'];
/** Kinds that this app does not know may come, and it has a few of its own. */
export type Problem = Omit<Schemas['Problem'], 'type'> & { type: string };
export type Project = Schemas['Project'];
export type Reaction = Schemas['Reaction'];
export type RenderedItem = Schemas['RenderedItem'];
export type Rule = Schemas['Rule'];
export type RuleFiring = Schemas['RuleFiring'];
/** Reasons that this app does not know may come. */
export type Run = Omit<Schemas['Run'], 'failureReason'> & { failureReason?: string | null };
export type RunChanges = Schemas['RunChanges'];
export type RunPreview = Schemas['RunPreview'];
export type RunStatus = Schemas['RunStatus'];
export type Runner = Schemas['Runner'];
export type SavedView = Schemas['SavedView'];
export type SearchResult = Schemas['SearchResult'];
export type Session = Schemas['Session'];
export type Sprint = Schemas['Sprint'];
export type StartRun = Schemas['StartRun'];
export type StateGroup = Schemas['StateGroup'];
export type Template = Schemas['Template'];
export type UpdateBudget = Schemas['UpdateBudget'];
export type UpdateItem = Schemas['UpdateItem'];
export type UpdateRule = Schemas['UpdateRule'];
export type Workflow = Schemas['Workflow'];
export type WorkflowState = Schemas['WorkflowState'];
