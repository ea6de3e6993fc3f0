import type { DeliveredContext } from '@casement/chat';
import { toPrintable } from '@casement/protocol/basics';
import { useConversation } from '../host/chat-host.js';
import { BoundedText } from './bounded-text.js';
import { ContentView } from './content-view.js';
import { Disclosure } from '../controls/disclosure.js';
import { useWords } from '../host/use-words.js';

/** What apps gave the model to know along with a message, and which app each came from (HOST-063). */
export const DeliveredContexts = ({ contexts }: { readonly contexts: readonly DeliveredContext[] }) => (
  <Contexts contexts={contexts} title={useWords().contextGiven(contexts.length)} />
);

/** What the next message will tell the model besides its own words. */
export const PendingContexts = () => {
  const contexts = useConversation((state) => state.pendingContext);
  const words = useWords();
  return (
    contexts.length > 0 && <Contexts contexts={contexts} title={words.contextPending(contexts.length)} />
  );
};

const Contexts = ({
  contexts,
  title,
}: {
  readonly contexts: readonly DeliveredContext[];
  readonly title: string;
}) => (
  <div className="casement-contexts">
    <Disclosure title={title}>
      {() => contexts.map((delivered) => <ContextView key={delivered.app.id} delivered={delivered} />)}
    </Disclosure>
  </div>
);

const ContextView = ({ delivered: { app, context } }: { readonly delivered: DeliveredContext }) => {
  const words = useWords();
  // As the model is told it.
  const name =
    app.name === undefined ? words.unknownApp : toPrintable([app.name, app.version].join(' ').trim(), 220);
  return (
    <div className="casement-context" role="group" aria-label={words.contextOf(name, app.server)}>
      <p>
        <span className="casement-mark" data-source="app">
          {words.appMark}
        </span>{' '}
        <b>{words.contextOf(name, toPrintable(app.server, 80))}</b>
      </p>
      {context === undefined && <p className="casement-note">{words.contextTakenBack}</p>}
      {context?.content?.map((block, index) => (
        <ContentView key={index} block={block} />
      ))}
      {context?.structuredContent && (
        <BoundedText
          text={JSON.stringify(context.structuredContent)}
          name={words.contextOf(name, app.server)}
        />
      )}
    </div>
  );
};
