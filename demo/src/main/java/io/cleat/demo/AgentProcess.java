package io.cleat.demo;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.ProcessIdentity;
import io.cleat.kernel.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The agent that the demo starts, kills and starts again: the same command each time. */
final class AgentProcess {
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final int SIGTERM = 15;

    private final Path launcher;
    private final Workplace workplace;
    private final int port;
    private final List<String> flags;
    private @Nullable Process process;
    private boolean isMeantToLive;

    /** @param flags what its plugin is to run under; none for its own choice */
    AgentProcess(Path launcher, Workplace workplace, int port, List<String> flags) {
        this.launcher = launcher;
        this.workplace = workplace;
        this.port = port;
        this.flags = List.copyOf(flags);
    }

    void start() throws CheckFailed {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(SETSID)) {
            // In a session of its own: Ctrl-C is for the demo, which then ends the agent in order.
            command.add(SETSID.toString());
        }
        command.addAll(List.of(
                launcher.toString(),
                "dev",
                "-data-dir",
                workplace.data().toString(),
                "-http-port",
                String.valueOf(port)));
        command.addAll(flags);
        ProcessBuilder builder = new ProcessBuilder(command);
        // What runs is what was built for the demo, whatever is edited meanwhile.
        builder.environment().put("CLEAT_BUILD", "never");
        builder.redirectErrorStream(true);
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(workplace.log().toFile()));
        try {
            process = builder.start();
            isMeantToLive = true;
        } catch (IOException failed) {
            throw CheckFailed.unseen("starting " + String.join(" ", command), failed);
        }
    }

    /** Fails if the agent is gone though nobody ended it. */
    void check() throws CheckFailed {
        Process running = process;
        if (running != null && isMeantToLive && !running.isAlive()) {
            throw new CheckFailed("the agent", "to go on", "it ended with exit code " + running.exitValue());
        }
    }

    /** The id of the process that was started. */
    long pid() {
        Process running = process;
        return running == null ? 0 : running.pid();
    }

    /** Kills the process that the agent says it is. */
    ProcessIdentity kill() throws CheckFailed {
        ProcessIdentity agent = workplace.agent();
        isMeantToLive = false;
        signal(agent, Processes.SIGKILL);
        return agent;
    }

    /**
     * Ends the agent in order.
     *
     * @return its exit code; empty if it was not running, or still runs after {@code limit}
     */
    Optional<Integer> end(Duration limit) throws CheckFailed, InterruptedException {
        Process running = process;
        if (running == null || !running.isAlive()) {
            return Optional.empty();
        }
        isMeantToLive = false;
        Optional<OurProcess> started = OurProcess.of(running.pid());
        if (started.isPresent()) {
            signal(started.get().identity(), SIGTERM);
        }
        boolean ended = running.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        return ended ? Optional.of(running.exitValue()) : Optional.empty();
    }

    /** The last lines that the agent printed. */
    List<String> lastWords(int lines) {
        try {
            List<String> all = Files.readAllLines(workplace.log());
            return all.subList(Math.max(0, all.size() - lines), all.size());
        } catch (IOException unreadable) {
            return List.of("(" + unreadable + ")");
        }
    }

    static void signal(ProcessIdentity process, int signal) throws CheckFailed {
        try {
            Processes.linux().signal(process, signal);
        } catch (KernelTrouble failed) {
            throw CheckFailed.unseen("sending signal " + signal + " to " + process, failed);
        }
    }
}
