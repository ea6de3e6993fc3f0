import type { AppResources, AppSnapshot } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import { createContext } from 'react';
import type { AppCode, FetchFromApp } from './find-source.js';

/** The code of the app that the views below are about; undefined while no app is shown whose server is known. */
export const AppCodeContext = createContext<AppCode | undefined>(undefined);

/** Where the code of a shown app is read. */
export const toAppCode = (
  { session, resource, address }: AppSnapshot,
  { port, resources }: { readonly port: ServerPort; readonly resources: AppResources },
  fetchFromApp?: FetchFromApp,
): AppCode | undefined =>
  resource && {
    session,
    uri: resource.uri,
    appOrigin: address?.appOrigin ?? 'null',
    readDocument: async (signal) => {
      const { html, hash } = await resources.readAhead(resource.uri, signal);
      return hash === resource.hash ? html : undefined;
    },
    readResource: (uri, signal) => port.readResource({ uri }, { caller: 'user', signal }),
    fetchFromApp,
  };
