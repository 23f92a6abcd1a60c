package io.cleat.demo;

import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.kernel.PidFile;
import io.cleat.kernel.ProcessIdentity;
import io.cleat.kernel.TemporaryTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The temporary directory that all of this run is in.
 *
 * @param root its path without links, as the kernel shows it
 * @param shim the native program
 */
record Workplace(Path root, Path shim) {
    static Workplace make(Path shim) throws CheckFailed {
        try {
            // Short: a socket's path has at most 107 bytes.
            return new Workplace(Files.createTempDirectory("cleat-").toRealPath(), shim);
        } catch (IOException failed) {
            throw CheckFailed.unseen("the temporary directory", failed);
        }
    }

    /** The agent's data directory. */
    Path data() {
        return root.resolve("data");
    }

    /** What the agent prints. */
    Path log() {
        return root.resolve("agent.log");
    }

    /** Removes it with all that is in it, unless something is mounted there. */
    void remove() throws CheckFailed, InterruptedException {
        try {
            new TemporaryTree(root).remove(shim, Threads.virtual((where, fault) -> {}), new SystemTime());
        } catch (KernelTrouble stays) {
            throw new CheckFailed(root.toString(), "to be removed", stays.reason());
        }
    }

    /** The process that the agent says it is. */
    ProcessIdentity agent() throws CheckFailed {
        Path file = data().resolve("agent.pid");
        try {
            return PidFile.read(file).orElseThrow(() -> new CheckFailed(file.toString(), "a file", "it is not there"));
        } catch (KernelTrouble unreadable) {
            throw CheckFailed.unseen(file.toString(), unreadable);
        }
    }
}
