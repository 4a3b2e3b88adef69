package dev.postrider.server.cli;

import dev.postrider.server.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code postrider completion}: lets the shell complete our commands. */
@Command(
    name = "completion",
    description = "Prints a completion script: source <(postrider completion bash)")
final class Completion implements Callable<Integer> {
  private final Terminal terminal;

  /** The shells we know. */
  enum Shell {
    bash,
    zsh
  }

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
  private Shell shell = Shell.bash;

  @Spec private @Nullable CommandSpec spec;

  Completion(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (spec == null) {
      throw new IllegalStateException("picocli sets the spec before it calls");
    }
    // The script serves both shells; zsh needs its bash emulation switched on, and it does that.
    String script = AutoComplete.bash("postrider", spec.root().commandLine());
    terminal
        .out()
        .println(shell == Shell.zsh ? "autoload -U +X compinit && compinit\n" + script : script);
    return 0;
  }
}
