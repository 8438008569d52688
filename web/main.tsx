// The entry of the dashboard's page: exchanges the one-time code, then shows the pages.
import { render } from "preact";
import { signIn } from "./api.js";
import { App } from "./app.js";
import { startLive } from "./live.js";
import { Empty } from "./parts/blocks.js";
import { applyTheme } from "./theme.js";

applyTheme();
const root = document.getElementById("app")!;
signIn().then(
  () => {
    startLive();
    render(<App />, root);
  },
  (error: Error) => render(<Empty title={error.message} command="interlock dashboard" />, root),
);
