package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.kernel.ProcessIdentity;
import io.cleat.kernel.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends commands in containers whose caller is gone, which no engine does. A process is only ended where it surely is
 * one of the container: in the same namespace of processes as its first one, which is not the machine's.
 *
 * <p>Holds nothing of its own; used by any thread.
 */
record StrayCommands(Containers containers, Processes processes) {
    private static final Logger LOG = LoggerFactory.getLogger(StrayCommands.class);

    /** @param pid of the command, where the engine is */
    void end(String container, long pid) {
        try {
            Optional<Container> found = containers.find(container).filter(Container::lives);
            if (pid <= 1 || found.isEmpty() || found.get().pid() <= 1) {
                return;
            }
            Optional<ProcessIdentity> command = processes.identify(pid);
            String namespace = namespace(pid);
            boolean isInside = pid != found.get().pid()
                    && namespace.equals(namespace(found.get().pid()))
                    && !namespace.equals(namespace(ProcessHandle.current().pid()));
            if (command.isPresent() && isInside) {
                processes.signal(command.get(), Processes.SIGKILL);
            }
        } catch (DriverTrouble | KernelTrouble | IOException goneOrAway) {
            LOG.debug("a command in {} may run on: {}", container, goneOrAway.toString());
        }
    }

    private static String namespace(long pid) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/pid")).toString();
    }
}
