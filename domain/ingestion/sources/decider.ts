import type { Decider } from '../../decider.js';
import { Rejected } from '../../rejected.js';
import { mindVersion } from '../../versions.js';
import type { ChangeSource, CreateSource, SourceCommand } from './commands.js';
import type { SourceFact } from './facts.js';
import { evolve, initialState, type Source, type SourceState } from './state.js';

export const sourceNotFound = (): Rejected =>
  new Rejected('missing', 'source_not_found', 'Unknown webhook source');

function decide(command: SourceCommand, { source }: SourceState): readonly SourceFact[] {
  const { workspace, sourceId } = command.data;
  const id = { workspace, sourceId };
  if (command.type === 'CreateSource') return source ? [] : create(command);
  if (!source) throw sourceNotFound();
  const { status } = source;
  switch (command.type) {
    case 'ChangeSource':
      return change(command, source);
    case 'RotateSourceSecret':
      return [
        {
          type: 'SourceSecretRotated',
          data: {
            ...id,
            graceUntil: command.data.graceUntil,
            personal: { of: workspace, secret: command.data.secret },
          },
        },
      ];
    case 'PauseSource':
      return status === 'paused' ? [] : [{ type: 'SourcePaused', data: id }];
    case 'ResumeSource':
      return status === 'paused' ? [{ type: 'SourceResumed', data: id }] : [];
    case 'MarkSourceFailing': {
      const { failures, code, message } = command.data;
      if (status !== 'active') return [];
      return [{ type: 'SourceFailing', data: { ...id, name: source.name, failures, code, message } }];
    }
    case 'MarkSourceRecovered':
      return status === 'failing' ? [{ type: 'SourceRecovered', data: id }] : [];
    case 'DeleteSource':
      mindVersion('The source', command.data.seen, source.version);
      return [{ type: 'SourceDeleted', data: id }];
  }
}

function create({ data }: CreateSource): readonly SourceFact[] {
  const { workspace, sourceId, name, connectorId, kind, mode, config, shown, eventConfig, secret } = data;
  const personal = { of: workspace, secret, config };
  return [
    {
      type: 'SourceCreated',
      data: { workspace, sourceId, name, connectorId, kind, mode, config: shown, eventConfig, personal },
    },
  ];
}

function change({ data }: ChangeSource, source: Source): readonly SourceFact[] {
  const { workspace, sourceId, seen } = data;
  mindVersion('The source', seen, source.version);
  const before = {
    name: source.name,
    config: { whole: source.config ?? {}, shown: source.shown },
    eventConfig: source.eventConfig,
  };
  const { name, config, eventConfig } = { ...before, ...given(data) };
  if (JSON.stringify({ name, config, eventConfig }) === JSON.stringify(before)) return [];
  const personal = { of: workspace, config: config.whole };
  const now = { workspace, sourceId, name, config: config.shown, eventConfig, personal };
  return [{ type: 'SourceChanged', data: now }];
}

const given = ({ name, config, eventConfig }: ChangeSource['data']) => ({
  ...(name !== undefined && { name }),
  ...(config !== undefined && { config }),
  ...(eventConfig !== undefined && { eventConfig }),
});

/** Where events and points come from by themselves. */
export const sources: Decider<SourceCommand, SourceFact, SourceState> = {
  category: 'source',
  idOf: ({ data: { workspace, sourceId } }) => `${workspace}.${sourceId}`,
  initialState,
  decide,
  evolve,
};
