import type { AppSnapshot } from '@casement/host';
import type { AppPermission } from '@casement/protocol';
import { Section } from '../../parts/section.js';

/** What the resource declares, what the user gave it, and how to change that. */
export interface PermissionChoice {
  readonly declared: readonly AppPermission[];
  readonly granted: readonly AppPermission[];
  /** Absent where they can only be seen. */
  onGrant?(permissions: readonly AppPermission[]): void;
}

const names: Record<AppPermission, string> = {
  camera: 'Camera',
  microphone: 'Microphone',
  geolocation: 'Location',
  clipboardWrite: 'Write to the clipboard',
};

interface PermissionsProps extends PermissionChoice {
  readonly policy: NonNullable<AppSnapshot['policy']>;
}

/** The permissions an app asks for, each off until it is given here (T8). */
export const Permissions = ({ policy, declared, granted, onGrant }: PermissionsProps) => {
  const inForce = policy.effective.permissions;
  const offered = [...new Set([...declared, ...inForce])];
  return (
    <Section
      title="Permissions"
      {...(offered.length === 0
        ? {}
        : {
            note: onGrant
              ? 'What the resource declares. None is given unless you do; a change shows the app anew without calling the tool again. Your browser still asks for itself.'
              : 'What the resource declares. In the chat the question is beside the app; none is given until you answer it.',
          })}
    >
      {offered.length === 0 ? (
        <p className="panel-note">None declared, none granted.</p>
      ) : (
        <ul className="permission-list">
          {offered.map((name) => (
            <li key={name}>
              <label>
                <input
                  type="checkbox"
                  disabled={!onGrant}
                  checked={inForce.includes(name)}
                  onChange={(event) => {
                    const others = granted.filter((one) => one !== name);
                    onGrant?.(event.target.checked ? [...others, name] : others);
                  }}
                />
                {names[name]} <code>{name}</code>
              </label>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};
