import type { ContentBlock } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import type { ModelRequest } from '@casement/chat';
import { useState } from 'react';
import { Disclosure } from '../../parts/disclosure.js';
import { JsonText } from '../../parts/json-text.js';
import { Section } from '../../parts/section.js';
import { readBlockText } from './model-facts.js';

type ModelMessage = ModelRequest['messages'][number];

const maxText = 4_000;
const lastShown = 30;

const roles: Record<ModelMessage['role'], string> = {
  system: 'System',
  user: 'User',
  assistant: 'Model',
  tool: 'Results',
};

const Block = ({ block }: { block: ContentBlock }) => {
  const text = readBlockText(block);
  if (text === undefined)
    return (
      <Disclosure title={`A block of the type ${toPrintable(block.type, 40)}`}>
        <JsonText value={block} name="Block" />
      </Disclosure>
    );
  return <p className="model-text">{toPrintable(text, maxText, { lines: 'keep' })}</p>;
};

const Blocks = ({ blocks }: { blocks: readonly ContentBlock[] }) =>
  blocks.length === 0 ? (
    <p className="panel-note">Nothing.</p>
  ) : (
    blocks.map((block, index) => <Block key={index} block={block} />)
  );

const Said = ({ message }: { message: ModelMessage }) => {
  switch (message.role) {
    case 'system':
      return <p className="model-text">{toPrintable(message.text, maxText, { lines: 'keep' })}</p>;
    case 'user':
      return <Blocks blocks={message.content} />;
    case 'assistant':
      return message.content.map((block, index) =>
        block.type === 'text' ? (
          <p key={index} className="model-text">
            {toPrintable(block.text, maxText, { lines: 'keep' })}
          </p>
        ) : (
          <p key={index} className="model-text">
            calls <code>{toPrintable(block.name, 80)}</code>{' '}
            <code>{toPrintable(JSON.stringify(block.arguments), maxText)}</code>
          </p>
        ),
      );
    case 'tool':
      return message.results.map(({ id, name, content, isError }) => (
        <div key={id} className="model-result">
          <p className="panel-note">
            {isError ? 'Failure of ' : 'Result of '}
            <code>{toPrintable(name, 80)}</code>
          </p>
          <Blocks blocks={content} />
        </div>
      ));
  }
};

/** The messages exactly as they would be sent, block by block; the last of many. */
export const RequestMessages = ({
  messages,
  hasDraft,
}: {
  messages: readonly ModelMessage[];
  /** The last message is one that is only being written. */
  hasDraft: boolean;
}) => {
  const [isWhole, setWhole] = useState(false);
  const first = isWhole ? 0 : Math.max(0, messages.length - lastShown);
  return (
    <Section title={`Messages (${messages.length})`}>
      {first > 0 && (
        <button type="button" className="small-button model-more" onClick={() => setWhole(true)}>
          Show {first} earlier
        </button>
      )}
      {messages.length === 0 ? (
        <p className="panel-note">None yet.</p>
      ) : (
        <ol className="model-messages" start={first + 1}>
          {messages.slice(first).map((message, index) => {
            const isDraft = hasDraft && first + index === messages.length - 1;
            return (
              <li key={first + index} data-role={message.role} data-draft={isDraft || undefined}>
                <h4>
                  {roles[message.role]}
                  {isDraft && <span className="badge plain">not sent yet</span>}
                </h4>
                <Said message={message} />
              </li>
            );
          })}
        </ol>
      )}
    </Section>
  );
};
