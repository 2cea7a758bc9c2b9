/** What hints call the settings of a remote server: each opener of jobs takes them in its own way. */
import { settings } from "../../base/settings.ts";

/** What leads to a remote server. */
export type RemoteSetting = "baseUrl" | "token" | "workspace";

export interface SettingNames {
  /** What whoever opens the job sets it with. Default: its variable. */
  readonly nameOf?: ((setting: RemoteSetting) => string) | undefined;
}

export const nameSetting = ({ nameOf }: SettingNames, setting: RemoteSetting): string =>
  nameOf?.(setting) ?? settings[setting].variable;
