package io.cleat.driverkit;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.driver.NetworkFiles;
import io.cleat.driver.OwnFiles;
import io.cleat.driver.TaskNetwork;
import io.cleat.driver.shim.ShimTasks;
import io.cleat.model.NetworkDns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows programs the network of their allocation: its interfaces, its host name, and the files by which hosts are found
 * there, which are the machine's for all others.
 *
 * <p>Holds nothing but files; used by any thread.
 */
final class TaskNetworks implements ShimTasks.Rest {
    /** Says the host name ($1), shows the files that are in a directory ($2), becomes the rest. */
    private static final String SHOWING = "[ -z \"$1\" ] || echo \"$1\" >/proc/sys/kernel/hostname || exit 1;"
            + " for f in \"$2\"/*; do t=/etc/${f##*/}; [ ! -e \"$f\" ] || [ ! -e $t ]"
            + " || mount --bind -o ro \"$f\" $t || exit 1; done; shift 2; exec \"$@\"";

    private final Path directory;
    private final NetworkFiles files;

    /** @param directory of the driver's own; made if it is not there */
    TaskNetworks(Path directory, NetworkFiles files) {
        this.directory = directory;
        this.files = files;
    }

    /** Writes the files of a task that is to begin. */
    void write(String name, TaskNetwork network) throws DriverTrouble {
        if (isOfNode(network)) {
            return;
        }
        Path own = directory.resolve(name);
        OwnFiles.makeDirectory(own);
        try {
            var _ = files.write(network, own::resolve);
        } catch (IOException failed) {
            throw new DriverTrouble(
                    "the files of the network of " + name + " could not be written: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
    }

    /** The words before a command of a task; none where it sees what the machine sees. Whoever runs them is root. */
    List<String> words(String name, TaskNetwork network) {
        List<String> words = new ArrayList<>();
        if (isOfNode(network)) {
            return words;
        }
        network.namespace().ifPresent(path -> words.addAll(List.of("nsenter", "--net=" + path, "--")));
        words.addAll(List.of("unshare", "--mount", "--propagation", "slave", "--uts", "--"));
        words.addAll(List.of("/bin/sh", "-c", SHOWING, "network", network.hostname()));
        words.add(directory.resolve(name).toString());
        return words;
    }

    private static boolean isOfNode(TaskNetwork network) {
        return network.namespace().isEmpty() && network.dns().equals(NetworkDns.OF_NODE);
    }

    @Override
    public void remove(String name, Deadline deadline) {
        Path own = directory.resolve(name);
        try {
            for (String file : OwnFiles.names(own)) {
                Files.deleteIfExists(own.resolve(file));
            }
            Files.deleteIfExists(own);
        } catch (IOException | DriverTrouble stays) {
            // Small files in memory, of a name that no other task has.
            return;
        }
    }
}
