import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createNotesServer } from './notes-server.js';
import { createNotes } from './notes.js';
import { notesApp } from './notes-app.js';

/** The notes as a process: what the gateway starts. */
await createNotesServer(createNotes(notesApp)).connect(new StdioServerTransport());
