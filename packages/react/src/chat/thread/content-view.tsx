import { toPrintable } from '@casement/host';
import type { ContentBlock, ResourceContents } from '@casement/protocol';
import { BoundedText, JsonText } from './bounded-text.js';
import { useWords } from './use-words.js';

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
    case 'resource_link':
      return (
        <ResourceNote
          uri={block.uri}
          title={block.title ?? block.name}
          note={block.description ?? block.mimeType}
        />
      );
    case 'resource':
      return <ResourceView resource={block.resource} />;
    default:
      return <JsonText value={block} name={words.output} />;
  }
};

const ResourceView = ({ resource }: { readonly resource: ResourceContents }) => (
  <>
    <ResourceNote uri={resource.uri} title={undefined} note={resource.mimeType} />
    {'text' in resource && <BoundedText text={resource.text} name={toPrintable(resource.uri)} />}
  </>
);

/** A resource by its address; only an address of the web can be followed, in a tab that knows nothing of this one. */
const ResourceNote = ({
  uri,
  title,
  note,
}: {
  readonly uri: string;
  readonly title: string | undefined;
  readonly note: string | undefined;
}) => {
  const words = useWords();
  const address = toPrintable(uri, 300);
  return (
    <p className="casement-resource">
      <span className="casement-mark">{words.resource}</span>{' '}
      {title !== undefined && <b>{toPrintable(title)} </b>}
      {isWebAddress(uri) ? (
        <a href={uri} target="_blank" rel="noopener noreferrer">
          {address}
        </a>
      ) : (
        <code>{address}</code>
      )}
      {note !== undefined && <span className="casement-note"> {toPrintable(note)}</span>}
    </p>
  );
};

const isMedia = (kind: 'image' | 'audio', mimeType: string): boolean =>
  new RegExp(`^${kind}/[\\w.+-]+$`).test(mimeType);

const toDataUrl = ({ data, mimeType }: { readonly data: string; readonly mimeType: string }): string =>
  `data:${mimeType};base64,${data}`;

const isWebAddress = (uri: string): boolean =>
  URL.canParse(uri) && ['http:', 'https:'].includes(new URL(uri).protocol);
