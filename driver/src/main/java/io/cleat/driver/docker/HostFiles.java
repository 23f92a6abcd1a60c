package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.driver.NetworkFiles;
import io.cleat.driver.OwnFiles;
import io.cleat.driver.TaskNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The files by which a container's programs know hosts, in the network of its allocation: those that its engine would
 * give it know nothing of that network.
 *
 * <p>Holds nothing of its own; used by any thread.
 */
final class HostFiles {
    private final Path directory;
    private final NetworkFiles files;

    /** @param directory of the agent's own, on a local disk; made if it is not there */
    HostFiles(Path directory, NetworkFiles files) {
        this.directory = directory;
        this.files = files;
    }

    /**
     * Writes those of a container.
     *
     * @return where they are on this machine, by their paths in the container
     */
    Map<Path, Path> write(String container, TaskNetwork network) throws DriverTrouble {
        OwnFiles.makeDirectory(directory);
        try {
            return files.write(network, name -> directory.resolve(container + "." + name));
        } catch (IOException failed) {
            throw trouble("could not be written", container, failed);
        }
    }

    /** Removes those of a container that is gone. */
    void remove(String container) throws DriverTrouble {
        for (String name : OwnFiles.names(directory)) {
            if (name.startsWith(container + ".")) {
                try {
                    Files.deleteIfExists(directory.resolve(name));
                } catch (IOException failed) {
                    throw trouble("could not be removed", container, failed);
                }
            }
        }
    }

    private static DriverTrouble trouble(String what, String container, IOException failed) {
        return new DriverTrouble(
                "the files by which " + container + " knows hosts " + what + ": " + failed,
                Effect.NONE,
                Retry.SAME_CALL,
                failed);
    }
}
