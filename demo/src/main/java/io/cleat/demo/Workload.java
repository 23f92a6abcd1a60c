package io.cleat.demo;

import io.cleat.kernel.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A task that works on a volume, as seen from outside.
 *
 * @param data the volume as the task sees it, looked at through the task's process
 * @param mount what the task has mounted there
 */
record Workload(String allocId, String task, OurProcess process, Path data, Mount mount) {
    private static final String PATH = "CLEAT_VOLUME_data";

    /** Looks at the only task of an allocation that has its volume under the alias {@code data}. */
    static Workload look(String allocId, String task) throws CheckFailed {
        OurProcess process = OurProcess.ofTask(allocId, task);
        String data = process.variable(PATH);
        return new Workload(allocId, task, process, process.seen(data), process.mountAt(data));
    }

    /** Fails unless it is the same process as ever, on the same mount. */
    void isUntouched() throws CheckFailed {
        Workload now = look(allocId, task);
        CheckFailed.unless(
                now.mount().equals(mount) && now.process().identity().equals(process.identity()),
                "allocation " + Cluster.brief(allocId),
                "the same process and mount: " + process.brief() + ", mount " + mount.id(),
                now.process().brief() + ", mount " + now.mount().id());
    }

    /** The numbers in a file of the volume; none while there is no such file. */
    Numbers numbers(String file) throws CheckFailed {
        Path path = data.resolve(file);
        try {
            return Numbers.in(path.toString(), Files.exists(path) ? Files.readString(path) : "");
        } catch (IOException unreadable) {
            throw CheckFailed.unseen(path.toString(), unreadable);
        }
    }

    /** The numbers in a file of the volume, once they have reached {@code least}. */
    Numbers reaching(String file, long least) throws CheckFailed {
        Numbers numbers = numbers(file);
        CheckFailed.unless(
                numbers.last() >= least,
                data.resolve(file).toString(),
                "it counts to " + least,
                "it is at " + numbers.last());
        return numbers;
    }
}
