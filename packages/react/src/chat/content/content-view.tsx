import type { ContentBlock, ResourceContents } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { toWebAddress } from './web-address.js';
import { BoundedText, JsonText } from './bounded-text.js';
import { useWords } from '../host/use-words.js';

/** One block of content of a tool, a message or an app: words, picture, sound, resource, or else its JSON (S1-25). */
export const ContentView = ({ block }: { readonly block: ContentBlock }) => {
  const words = useWords();
  switch (block.type) {
    case 'text':
      // A block of an unknown kind is parsed as text, but has none.
      return typeof block.text === 'string' ? (
        <BoundedText text={block.text} name={words.output} />
      ) : (
        <JsonText value={block} name={words.output} />
      );
    case 'image':
      return isMedia('image', block.mimeType) ? (
        <img className="casement-image" src={toDataUrl(block)} alt={words.image} />
      ) : (
        <JsonText value={{ ...block, data: words.unreadable }} name={words.image} />
      );
    case 'audio':
      return isMedia('audio', block.mimeType) ? (
        <audio className="casement-audio" src={toDataUrl(block)} controls aria-label={words.audio} />
      ) : (
        <JsonText value={{ ...block, data: words.unreadable }} name={words.audio} />
      );
    case 'resource_link': {
      const { uri, title, name, description, mimeType } = block;
      return <ResourceNote uri={uri} notes={[title, name, description, mimeType]} />;
    }
    case 'resource':
      return <ResourceView resource={block.resource} />;
    default:
      return <JsonText value={block} name={words.output} />;
  }
};

const ResourceView = ({ resource }: { readonly resource: ResourceContents }) => (
  <>
    <ResourceNote uri={resource.uri} notes={[resource.mimeType]} />
    {'text' in resource && <BoundedText text={resource.text} name={toPrintable(resource.uri)} />}
  </>
);

const maxLine = 300;

/**
 * A resource by its address, with all that a model is told of it; only an address of the web can be followed, in a tab
 * that knows nothing of this one.
 */
const ResourceNote = ({
  uri,
  notes,
}: {
  readonly uri: string;
  readonly notes: readonly (string | undefined)[];
}) => {
  const words = useWords();
  const address = toPrintable(uri, maxLine);
  const url = toWebAddress(uri);
  const told = [...new Set(notes)].filter(Boolean).join(', ');
  const isLong = told.length > maxLine || uri.length > maxLine;
  return (
    <>
      <p className="casement-resource">
        <span className="casement-mark">{words.resource}</span>{' '}
        {url ? (
          <a href={url.href} target="_blank" rel="noopener noreferrer">
            {address}
          </a>
        ) : (
          <code>{address}</code>
        )}
        {!isLong && told !== '' && <span className="casement-note"> {toPrintable(told, maxLine * 10)}</span>}
      </p>
      {isLong && <BoundedText text={`${uri}\n${told}`} name={words.resource} />}
    </>
  );
};

const isMedia = (kind: 'image' | 'audio', mimeType: string): boolean =>
  mimeType.startsWith(`${kind}/`) && /^\w+\/[\w.+-]+$/.test(mimeType);

const toDataUrl = ({ data, mimeType }: { readonly data: string; readonly mimeType: string }): string =>
  `data:${mimeType};base64,${data}`;
