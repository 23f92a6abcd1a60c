package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.util.List;

/**
 * Writing of files where a workload may make what it likes: by path workers; below a place's root no link is followed,
 * and nothing that is there is opened. Any thread.
 */
public final class FileWrites {
    /** How many bytes a file may have. */
    public static final int MOST = 4 << 20;

    private final PathWorkers workers;
    private final String key;

    FileWrites(PathWorkers workers, String key) {
        this.workers = workers;
        this.key = key;
    }

    /**
     * Whom a file is for.
     *
     * @param mode permission bits; of a file the special ones are left out
     * @param uid its owner; -1 for the agent's
     * @param gid its group; -1 for the agent's
     */
    public record Owner(int mode, int uid, int gid) {}

    /**
     * Makes a file, in the place of one that is there, or of a link: at no moment is there half of it. The directory
     * must be there.
     *
     * @param bytes at most {@link #MOST}
     * @throws KernelTrouble also if a directory is there
     */
    public void write(Place file, byte[] bytes, Owner owner, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        if (bytes.length > MOST) {
            throw new KernelTrouble(
                    file + " would have " + bytes.length + " bytes; the most is " + MOST, Effect.NONE, Retry.NEVER);
        }
        List<String> request = WorkerPaths.request(
                "write",
                file,
                Integer.toOctalString(owner.mode()),
                Integer.toString(owner.uid()),
                Integer.toString(owner.gid()));
        WorkerPaths.values(request, workers.call(key, request, bytes, deadline));
    }
}
