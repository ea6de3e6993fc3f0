'use client';

import type { ToolPart } from '@casement/chat';
import { toToolName } from '@casement/chat';
import { toFailureText } from '@casement/host';
import { toPrintable } from '@casement/protocol/basics';
import { ApprovalQuestion } from './approval-question.js';
import { BoundedText, JsonText } from '../content/bounded-text.js';
import type { ChatWords } from '../host/chat-words.js';
import { ContentView } from '../content/content-view.js';
import { Disclosure } from '../controls/disclosure.js';
import { RestartServer } from '../controls/restart-server.js';
import { ToolName } from './tool-source.js';
import { useWords } from '../host/use-words.js';

/** The props of `<ToolCard>`. */
export interface ToolCardProps {
  readonly part: ToolPart;
  /** An app below shows what came of the call: the card then keeps it folded. */
  readonly hasApp?: boolean;
}

/** A tool call as people see it: whose tool, with what, and what came of it (S1-24). */
export const ToolCard = ({ part, hasApp = false }: ToolCardProps) => {
  const words = useWords();
  const name = toPrintable(part.source.tool || toToolName(part), 120);
  const isAsking = part.state === 'approval-requested';
  return (
    <section
      className="casement-tool"
      data-state={toLook(part)}
      data-source={part.source.kind}
      data-tool-call={part.toolCallId}
      data-code={part.errorCode}
      aria-label={words.call(name)}
    >
      <header>
        <ToolName source={part.source} name={name} />
        <span className="casement-tool-state">{toStateWords(part, words)}</span>
      </header>
      {isAsking ? <ApprovalQuestion part={part} /> : <ToolInput part={part} isOpen={!hasApp} />}
      {part.state === 'output-error' && <ToolFault part={part} />}
      <ToolOutput part={part} isFolded={hasApp} />
    </section>
  );
};

/** A result that is an error is a failure to the eye. */
const toLook = ({ state, output }: ToolPart): ToolPart['state'] =>
  state === 'output-available' && output?.isError ? 'output-error' : state;

const toStateWords = (part: ToolPart, words: ChatWords): string =>
  ({
    'input-streaming': words.writing,
    'input-available': words.running,
    'approval-requested': words.waiting,
    'output-available': words.done,
    'output-error': words.failed,
    cancelled: words.cancelled,
  })[toLook(part)];

/** The arguments: as the model writes them, then as they are. */
const ToolInput = ({ part, isOpen }: { readonly part: ToolPart; readonly isOpen: boolean }) => {
  const words = useWords();
  const { input, inputText, state } = part;
  if (!input && !inputText) return null;
  if (input && Object.keys(input).length === 0) return null;
  return (
    <Disclosure title={words.input} isOpenAtFirst={isOpen && state === 'input-streaming'}>
      {() =>
        input ? (
          <JsonText value={input} name={words.input} />
        ) : (
          <BoundedText text={inputText ?? ''} name={words.input} />
        )
      }
    </Disclosure>
  );
};

const ToolFault = ({ part: { errorCode, errorText, source } }: { readonly part: ToolPart }) => {
  const words = useWords();
  const said = toFailureText(
    { message: errorText ?? words.failed, ...(errorCode === undefined ? {} : { code: errorCode }) },
    words.failures,
  );
  const hasStep = errorCode !== undefined && Object.hasOwn(words.nextSteps, errorCode);
  return (
    <div className="casement-fault">
      <p>{toPrintable(said, 2_000, { lines: 'keep' })}</p>
      <p>{hasStep ? words.nextSteps[errorCode] : words.nextStep}</p>
      {errorCode !== undefined && <code>{errorCode}</code>}
      {errorCode?.startsWith('server-') && <RestartServer server={source.server} />}
    </div>
  );
};

/** What came of the call, in full where no app shows it (S1-25). */
const ToolOutput = ({
  part: { output },
  isFolded,
}: {
  readonly part: ToolPart;
  readonly isFolded: boolean;
}) => {
  const words = useWords();
  if (!output) return null;
  const { content, structuredContent } = output;
  const blocks = () => content.map((block, index) => <ContentView key={index} block={block} />);
  const isEmpty = content.length === 0 && structuredContent === undefined;
  return (
    <>
      {isEmpty && !isFolded && <p className="casement-note">{words.noOutput}</p>}
      {content.length > 0 &&
        (isFolded ? (
          <Disclosure title={words.output}>{blocks}</Disclosure>
        ) : (
          <div className="casement-output">{blocks()}</div>
        ))}
      {structuredContent !== undefined && (
        <Disclosure title={words.details} isOpenAtFirst={!isFolded && content.length === 0}>
          {() => <JsonText value={structuredContent} name={words.details} />}
        </Disclosure>
      )}
    </>
  );
};
