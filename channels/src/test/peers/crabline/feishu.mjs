// Feishu is in crabline's library and not in its command line.
import { startFeishuServer } from "@openclaw/crabline";

const server = await startFeishuServer();
console.log(JSON.stringify(server.manifest));
