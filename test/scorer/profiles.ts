import type { Profile, ScoringInput } from '../../domain/events/scoring.js';

export const nobody: Profile = { version: '0', description: '', phrases: [] };
export const grid: Profile = {
  version: '1',
  description: 'Electricity prices and load of the national power grid',
  phrases: ['day_ahead_price', 'netLoad', 'wind generation', 'gas storage level', 'grid outages'],
};

export const about = (text: string, profile = nobody, dataType = 'text'): ScoringInput => ({
  text,
  value: null,
  dataType,
  profile,
});
