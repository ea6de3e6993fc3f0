import './model.css';
import type { ConversationState, ModelRequest } from '@casement/chat';
import { useMemo, type ReactNode } from 'react';
import { toByteSize } from '../../parts/quantity.js';
import { Disclosure } from '../../parts/disclosure.js';
import { JsonText } from '../../parts/json-text.js';
import { Facts, Section } from '../../parts/section.js';
import { AppContexts } from './app-contexts.js';
import { toContextRows, type HiddenTool } from './model-facts.js';
import { LeftOut, OfferedTools } from './offered-tools.js';
import { RequestMessages } from './request-messages.js';

interface ModelPanelProps {
  readonly request: ModelRequest;
  readonly state: ConversationState;
  readonly hidden: readonly HiddenTool[];
  /** What people call the model. */
  readonly model: string;
  /** How this request comes about. */
  readonly note: string;
  /** The request has a message that is only being written. */
  readonly hasDraft: boolean;
  readonly children?: ReactNode;
}

/** What the model would be sent next: messages, what apps gave it to know, and its tools with where they come from. */
export const ModelPanel = ({ request, state, hidden, model, note, hasDraft, children }: ModelPanelProps) => {
  const bytes = useMemo(() => new TextEncoder().encode(JSON.stringify(request)).length, [request]);
  return (
    <div className="model-panel panel-body panel-scroll" tabIndex={0} role="group" aria-label="Model">
      <h2 className="unseen">Model</h2>
      <Section title="Next request" note={note}>
        <Facts
          rows={[
            ['Model', model],
            ['Size', toByteSize(bytes)],
          ]}
        />
        {children}
        <Disclosure title="Everything sent">
          <JsonText value={request} name="Request" />
        </Disclosure>
      </Section>
      <RequestMessages messages={request.messages} hasDraft={hasDraft} />
      <AppContexts rows={toContextRows(state)} />
      <OfferedTools tools={state.tools} clashes={state.clashes} />
      <LeftOut hidden={hidden} problems={state.problems} />
    </div>
  );
};
