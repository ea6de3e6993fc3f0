import './entries.css';
import { AddDialog } from './add-dialog.js';
import { ConfirmDialog } from './confirm-dialog.js';
import { EditDialog } from './edit-dialog.js';
import { RemoveDialog } from './remove-dialog.js';
import { StoredDialog } from './stored-dialog.js';
import type { ServerDialog } from '../servers/server-entries.js';

// Another file is another dialog, also when the one before is still open.
const toKey = ({ name, lastModified, size }: File): string => `${lastModified} ${size} ${name}`;

/** What is asked or shown about configured servers, loaded with the first of it. */
export const EntryDialogs = ({ dialog }: { readonly dialog: ServerDialog }) => {
  switch (dialog.kind) {
    case 'add':
      return (
        <AddDialog
          key={dialog.dropped && toKey(dialog.dropped)}
          {...(dialog.dropped && { dropped: dialog.dropped })}
        />
      );
    case 'edit':
      return <EditDialog name={dialog.name} />;
    case 'remove':
      return <RemoveDialog name={dialog.name} />;
    case 'confirm':
      // Each is a question of its own, with its own wait.
      return <ConfirmDialog key={dialog.names.join('\n')} names={dialog.names} />;
    case 'stored':
      return <StoredDialog />;
  }
};
