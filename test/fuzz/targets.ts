/** All fuzz targets. A new one is a line here; the shares are to add up to a hundred. */
import { channels } from './channels.ts';
import { settings } from './configuration.ts';
import type { Fuzz } from './fuzz.ts';
import { slowness } from './repetitions.ts';
import { serverData } from './serverData.ts';
import { templates } from './uriTemplates.ts';

export const targets: readonly Fuzz[] = [
  ...channels,
  ...serverData,
  ...templates,
  ...settings,
  ...slowness,
];
