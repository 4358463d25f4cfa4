// The version, from package.json, also inside the executable.

import { version } from "../../package.json";

export const VERSION: string = version;
